import { goesAtExit, goesBySignal } from "../../src/store/leftovers.ts";

// A process that holds folders which are to go with it: the first stays, for it is given up again. How it ends is told to it.
const [kept = "", ...folders] = process.argv.slice(2);
goesBySignal();
goesAtExit(kept)();
for (const folder of folders) goesAtExit(folder);
process.once("message", () => process.exit(3));
process.send?.("ready");
