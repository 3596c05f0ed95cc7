/** A process that opens the store in `argv[2]`, says so, and holds it until it is killed. */
import { openStore } from "../../src/store/open-store.ts";
import { tickRegistry } from "./writer.ts";

await openStore({ directory: process.argv[2] as string, registry: tickRegistry });
process.send?.("open");
setInterval(() => undefined, 1000);
