import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { expect, test, vi } from "vitest";
import { callFold } from "./fold-calls.ts";
import { DOWN, ENTER, ESC, HOME } from "./keys.ts";
import { expectHistory } from "./past-windows.ts";
import { type Host, Sandbox } from "./sandbox.ts";
import { textsIn } from "./shared.ts";

const tools = ["fetch", "pi_fold_context"];

/** A host with a terminal in which four topics were worked on. */
async function worked(sandbox: Sandbox, before: readonly ExtensionFactory[] = []): Promise<Host> {
	const host = await sandbox.create({ tools, tui: true, before });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	return host;
}

/** The map on a host's screen. */
class Shown {
	readonly host: Host;
	readonly closed: Promise<void>;

	private constructor(host: Host) {
		this.host = host;
		this.closed = host.session.prompt("/fold-editor");
	}

	static async on(host: Host): Promise<Shown> {
		const shown = new Shown(host);
		await vi.waitFor(() => expect(host.screen).toBeDefined(), { timeout: 20_000 });
		return shown;
	}

	get lines(): string[] {
		return (this.host.screen?.render(120) ?? []).map(stripTerminalSequences);
	}

	get selected(): string {
		return this.lines.find((line) => line.startsWith("→ ")) ?? "";
	}

	press(...keys: string[]): void {
		for (const key of keys) this.host.screen?.handleInput?.(key);
	}

	/** Selects the nth row, from the top, that holds a text. */
	select(text: string, nth = 1): void {
		this.press(HOME);
		let found = this.selected.includes(text) ? 1 : 0;
		for (let n = 0; n < 100 && found < nth; n++) {
			this.press(DOWN);
			if (this.selected.includes(text)) found++;
		}
		expect(this.selected).toContain(text);
	}

	/** Waits until the screen says something. */
	async says(text: string | RegExp): Promise<void> {
		await vi.waitFor(() => expect(this.lines.join("\n")).toMatch(text), { timeout: 20_000 });
	}

	async close(): Promise<void> {
		this.press(ESC);
		await this.closed;
		expect(this.host.screen).toBeUndefined();
	}
}

interface Row {
	readonly id: string;
	readonly state: string;
	readonly withdrawn?: boolean;
	readonly supplied?: boolean;
}

/** What the model's tool tells of the window, a list of it. */
async function rowsOf(host: Host, detail: string): Promise<Row[]> {
	return JSON.parse((await callFold(host, { action: "status", detail, limit: 100 })).text).rows;
}

test("marks that are cut, withdrawn and briefed on the screen are what the tool says, and a commit heeds them", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const [first = "", second = "", third = ""] = (await rowsOf(host, "fold_candidates")).map(({ id }) => id);
	const shown = await Shown.on(host);
	shown.select("◇", 1);
	shown.press("u");
	await shown.says("withdrawn: raw at the next commit");
	shown.select("◇", 2);
	shown.press("m", DOWN, "m");
	await shown.says(/staged as one: the next commit heeds it · \/fold undo recut-\d+/);
	shown.press("b", ..."alpha and beta are done with", ENTER);
	await shown.says("kept: it stands word for word");
	await shown.close();
	const marks = await rowsOf(host, "fold_candidates");
	expect(marks.find(({ id }) => id === first)).toMatchObject({ withdrawn: true });
	expect(marks.some(({ id }) => id === second || id === third)).toBe(false);
	expect(marks.find(({ id }) => id.includes("~"))).toMatchObject({ supplied: true });
	const again = await Shown.on(host);
	again.press("c");
	await again.says("Commit now");
	again.press(ENTER);
	await again.says("folded about");
	await again.says(`${first} stays raw, as was asked before`);
	await again.close();
	const texts = textsIn(await host.ask("folded?"));
	expect(texts.some((text) => text.includes("alpha and beta are done with"))).toBe(true);
	expect((await rowsOf(host, "tree")).find(({ id }) => id === first)?.state).toBe("open");
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("a fold is expanded and refolded, a message pinned, and a fold put back, as the tool does it", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	const before = textsIn(await host.ask("before?"));
	const shown = await Shown.on(host);
	shown.select("▸");
	shown.press("e");
	await shown.says(/Open it in the window: from ~[\d,]+ to ~[\d,]+ tokens, ~[\d,]+ taken in again\?/);
	shown.press(ENTER);
	await shown.says(/open in the window from the next request on; from ~.* · \/fold undo expand-\d+/);
	await shown.close();
	const open = textsIn(await host.ask("opened?"));
	expect(open).not.toEqual(before);
	const again = await Shown.on(host);
	again.select("▿");
	again.press("e");
	await again.says("Close it again");
	again.press("y");
	await again.says("its text stands again");
	again.select("▸ fold");
	again.press("u");
	await again.says("its messages are put back at the next commit");
	again.press(ENTER);
	again.select("- result");
	again.press("p");
	await again.says("Pin it, raw from the next request on: from ~");
	again.press(ENTER);
	await again.says("pinned with the rest of its exchange");
	expect(again.selected).toContain("● pinned · result");
	await again.close();
	const closed = textsIn(await host.ask("closed?"));
	expect(closed).toEqual(before);
	const entries = await rowsOf(host, "objects");
	expect(entries.filter(({ state }) => state === "pinned").length).toBeGreaterThan(1);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("what may not happen is refused with the tool's code, and the session goes on", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	const shown = await Shown.on(host);
	shown.select("▸ group");
	shown.press(ENTER);
	shown.select("▸ fold");
	shown.press("e");
	await shown.says(/FOLD_NESTED: \S+ lies inside g/);
	shown.press("m");
	await shown.says("only what is staged can be cut: select a staged stretch");
	shown.select("staged by automatic");
	shown.press("m");
	await shown.says("m cut to here");
	shown.press(ESC);
	await shown.close();
	await host.ask("and on?");
	expect(host.errors).toEqual([]);
	expect(host.said.filter((text) => text.includes("without new folds"))).toEqual([]);
});

test("while the model works a change waits for the next request, and the map follows the session", async () => {
	await using sandbox = new Sandbox();
	let look = async () => {};
	const host = await worked(sandbox, [(pi) => void pi.on("tool_result", () => look())]);
	let shown: Shown | undefined;
	look = async () => {
		shown = await Shown.on(host);
		shown.select("◇");
		shown.press("u");
		await shown.says("the model is at work: this is done before the next request");
		expect(shown.selected).not.toContain("withdrawn");
	};
	const page = fauxToolCall("fetch", { page: "epsilon/page.ts", chars: 1_500 });
	await host.play("look at epsilon", [
		() => fauxAssistantMessage(page, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("done"),
	]);
	expect(shown).toBeDefined();
	await shown?.says("withdrawn, raw at the next commit");
	await shown?.close();
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("a screen that outlives its session says so, and breaks nothing", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const shown = await Shown.on(host);
	await host.runtime.newSession();
	for (const keys of [["u"], ["p"], ["e"], ["c", ENTER]]) {
		shown.select("◇");
		shown.press(...keys);
		await shown.says(/is stale|session is over|nothing was said/);
	}
	shown.press(ESC);
	await shown.closed;
	await host.ask("and on?");
	expect(host.errors).toEqual([]);
});

test("without a screen the map is told in words, with what changes it", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	await host.session.prompt("/fold-editor");
	expect(host.said).toEqual(["Palimpsest: nothing was said in this session yet"]);
	for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic);
	await host.fold();
	await host.session.prompt("/fold-editor");
	const words = host.said.at(-1) ?? "";
	expect(words).toMatch(/^Palimpsest: folding by itself, economic\n\[[█░]+\] \d+%, /);
	expect(words).toMatch(/\n +[\d,]+ +[\d.]+% ▸ [fg]\S+ .* · \d+ entries · was ~[\d,]+ · User asked/);
	expect(words).toMatch(/\n +[\d,]+ +[\d.]+% ◇ f\S+ staged by automatic/);
	expect(words).toContain("/fold undo ID takes a decision back");
	expect(words).toContain("reboundary {ids}");
	expect(host.errors).toEqual([]);
});
