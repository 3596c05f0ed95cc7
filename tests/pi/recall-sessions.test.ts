import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { callRecall, idOf, typeRecall } from "./recall-calls.ts";
import { type Host, Sandbox } from "./sandbox.ts";
import { expectFound, expectRejoined, OPTIONS, SAID, spoken } from "./spoken.ts";

/** The host's own summary, in the model's words. */
async function summarised(host: Host): Promise<void> {
	host.script([() => fauxAssistantMessage("they spoke"), () => fauxAssistantMessage("of a turn")]);
	const { summary } = await host.session.compact("native");
	expect(summary).toContain("they spoke");
}

/** Nothing said at first reaches the model as it was said. */
async function expectGone(host: Host): Promise<void> {
	const sent = await host.ask("what now?");
	for (const text of Object.values(SAID))
		expect(sent.some((message) => message.includes(`"content":[{"type":"text","text":"${text}"}]`))).toBe(
			false,
		);
}

const lived = async (sandbox: Sandbox) => spoken(await sandbox.create(OPTIONS));

/** Sessions, each lived another way. */
const SESSIONS: { readonly [how: string]: (sandbox: Sandbox) => Promise<Host> } = {
	"summarised by the host": async (sandbox) => {
		const host = await lived(sandbox);
		await summarised(host);
		return host;
	},
	"compacted by ours, worked on, and compacted again": async (sandbox) => {
		const host = await lived(sandbox);
		await host.fold();
		await host.session.compact();
		for (const topic of ["epsilon", "zeta"]) await host.work(topic);
		await host.session.compact();
		expect(host.path("compaction")).toHaveLength(2);
		return host;
	},
	"compacted by ours, then summarised by the host, and gone on with later": async (sandbox) => {
		const host = await lived(sandbox);
		await host.session.compact();
		for (const topic of ["epsilon", "zeta"]) await host.work(topic);
		await summarised(host);
		await host.quit();
		return sandbox.open(host.file, OPTIONS);
	},
	"forked behind a checkpoint": async (sandbox) => {
		const host = await lived(sandbox);
		await host.session.compact();
		await host.work("epsilon");
		await host.ask("forked here");
		await host.runtime.fork(idOf(host, "forked here"));
		return host;
	},
	"cloned behind a summary, and its clone cloned": async (sandbox) => {
		const host = await lived(sandbox);
		await summarised(host);
		for (let n = 0; n < 2; n++) {
			await host.work(`copy-${n}`, 1);
			await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
		}
		return host;
	},
	"left for another branch below a checkpoint": async (sandbox) => {
		const host = await lived(sandbox);
		await host.session.compact();
		const here = host.session.sessionManager.getLeafId() ?? "";
		await host.ask("a branch that is left");
		await host.session.navigateTree(here);
		return host;
	},
	"left for a new one and resumed": async (sandbox) => {
		const host = await lived(sandbox);
		await host.session.compact();
		const { file } = host;
		await host.runtime.newSession();
		await host.ask("something else");
		await host.runtime.switchSession(file);
		return host;
	},
	"in no file, folded and summarised": async (sandbox) => {
		const host = await spoken(await sandbox.host(SessionManager.inMemory(sandbox.dir), OPTIONS));
		await host.fold();
		await summarised(host);
		return host;
	},
};

test.each(Object.entries(SESSIONS))(
	"what a session was told at first is found in one that was %s, and read whole in slices",
	async (_how, live) => {
		await using sandbox = new Sandbox();
		const host = await live(sandbox);
		await expectGone(host);
		await expectFound(host);
		await expectRejoined(host, idOf(host, SAID.chinese), 150);
		expect(await typeRecall(host, '"dürfen beim Löschen" kind:user')).toContain(
			`[entry ${idOf(host, SAID.german)}]`,
		);
	},
);

test("of a fork the model sees its own branch alone, and the user what the file has of others", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask("a beginning with a walrus");
	const here = host.session.sessionManager.getLeafId() ?? "";
	await host.ask("the ocelot is on the first branch");
	const there = idOf(host, "the ocelot");
	await host.session.navigateTree(here);
	await host.ask("the tapir is on the second");
	const id = host.session.sessionManager.getLeafId() ?? "";
	for (const position of ["here", "in the clone"] as const) {
		if (position !== "here") await host.runtime.fork(id, { position: "at" });
		const { text } = await callRecall(host, { query: "ocelot", scope: "all" });
		expect(text).toBe("nothing was found");
		expect((await callRecall(host, { query: "walrus" })).ids[0]).toBe(idOf(host, "a walrus"));
		// a clone holds the path it was made of, and no more
		const all = await typeRecall(host, "ocelot kind:user scope:all");
		if (position === "here") expect(all).toContain(`[entry ${there}]`);
		else expect(all).toMatch(/nothing was found/);
		expect(await typeRecall(host, "tapir kind:user")).toMatch(/^1 entry found/);
	}
	expect(host.errors).toEqual([]);
});
