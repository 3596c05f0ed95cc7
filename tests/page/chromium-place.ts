import { existsSync } from "node:fs";

const named = process.env.PALIMPSEST_CHROMIUM;

/** Where Chromium is: where the variable says, or where Debian's package puts it. */
export const CHROMIUM = named ?? "/usr/bin/chromium";

/** Whether the tests of the page are to run: not where there is no Chromium, unless one was promised. */
export const isLookedAt = named !== undefined || existsSync(CHROMIUM);
