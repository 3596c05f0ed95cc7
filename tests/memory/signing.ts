/** A process that signs something with the keyring at `argv[2]`, begun if need be, and prints the key's id. */
import { Keyring } from "../../src/engine/memory/keyring.ts";

const { key } = Keyring.open(process.argv[2] as string).seal("s", Buffer.from("x"));
process.stdout.write(`${key}\n`);
