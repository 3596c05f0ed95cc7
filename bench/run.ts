import { printRows, type Row } from "./row.ts";

/** Each bench by name. A bench module exports `run`, which measures and returns its rows. */
const BENCHES: { readonly [name: string]: () => Promise<{ run(): Promise<readonly Row[]> }> } = {
	store: () => import("./store.ts"),
	reader: () => import("./reader.ts"),
	engine: () => import("./engine.ts"),
	policies: () => import("./policies.ts"),
	stages: () => import("./stages.ts"),
	retention: () => import("./retention.ts"),
	hook: () => import("./hook.ts"),
	"long-turn": () => import("./long-turn.ts"),
	checkpoint: () => import("./checkpoint.ts"),
	prompt: () => import("./prompt.ts"),
	recall: () => import("./recall.ts"),
	"recall-eval": () => import("./recall-eval.ts"),
	memory: () => import("./memory.ts"),
	seek: () => import("./seek.ts"),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
	console.error(`no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`);
	process.exit(2);
}

let missed = 0;
for (const [name, load] of Object.entries(BENCHES)) {
	if (asked.length > 0 && !asked.includes(name)) continue;
	const rows = await (await load()).run();
	missed += rows.filter(({ ok }) => !ok).length;
	console.log(`${name}\n${printRows(rows)}\n`);
}
if (missed > 0) {
	console.error(`${missed} figures missed their target`);
	process.exit(1);
}
