import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { Log } from "../../src/store/log.ts";
import { kinds, lastCompaction, OPTIONS, told, worked } from "./checkpointed.ts";
import { expectAll } from "./invariants.ts";
import { type Host, Sandbox } from "./sandbox.ts";

test("success that the host tells twice is recorded once", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	await host.session.compact();
	const compactionEntry = lastCompaction(host);
	const again = { type: "session_compact", compactionEntry, fromExtension: true, reason: "manual" } as const;
	await host.session.extensionRunner.emit({ ...again, willRetry: false });
	expect(host.said.filter((words) => words.includes("checkpoint win_"))).toHaveLength(1);
	await expectAll(sandbox, host);
	expect(kinds(await told(sandbox, host))).toEqual(["intercepted", "checkpointed"]);
});

test("a compaction stopped while its checkpoint is made leaves that it was stopped, and no entry", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	const { append } = Log.prototype;
	Log.prototype.append = function (stream, events, ...rest) {
		if (events[0]?.event.type === "compaction/intercepted") host.session.abortCompaction();
		return append.call(this, stream, events, ...rest);
	};
	try {
		await expect(host.session.compact()).rejects.toThrow("cancelled");
	} finally {
		Log.prototype.append = append;
	}
	expect(host.path("compaction")).toEqual([]);
	expect(host.said).toEqual([]);
	await expectAll(sandbox, host);
	expect(kinds(await told(sandbox, host))).toEqual(["intercepted", "failed"]);
});

test("a compaction stopped before ours is asked leaves no trace, and one stopped behind it leaves that it was", async () => {
	await using sandbox = new Sandbox();
	let host: Host;
	const stopping: ExtensionFactory = (pi) => {
		pi.on("session_before_compact", () => host.session.abortCompaction());
	};
	for (const place of ["before", "after"] as const) {
		host = await worked(await sandbox.create({ ...OPTIONS, [place]: [stopping] }), "alpha", "beta");
		const entries = host.session.sessionManager.getEntries().length;
		await expect(host.session.compact()).rejects.toThrow("cancelled");
		expect(host.session.sessionManager.getEntries()).toHaveLength(entries);
		expect(host.said).toEqual([]);
		await host.ask("what now?");
		await expectAll(sandbox, host);
		const events = await told(sandbox, host);
		expect(kinds(events)).toEqual(place === "before" ? [] : ["intercepted", "failed"]);
		if (place === "after")
			expect(events[1]?.data).toEqual({ reason: "manual", aborted: true, intercepted: events[0]?.position });
	}
});

test("a process that ends between the host's success and our event is made up for at the next start", async () => {
	await using sandbox = new Sandbox();
	let isLast = false;
	const dying: ExtensionFactory = (pi) => {
		pi.on("session_compact", () => {
			if (isLast) host.drop();
		});
	};
	const host: Host = await worked(await sandbox.create({ ...OPTIONS, before: [dying] }), "alpha", "beta");
	isLast = true;
	await host.session.compact();
	const again = await sandbox.open(host.file, OPTIONS);
	await again.ask("where were we?");
	await expectAll(sandbox, host, again);
	const [intercepted, checkpointed, ...rest] = await told(sandbox, again);
	expect(rest).toEqual([]);
	expect(checkpointed).toMatchObject({
		type: "compaction/checkpointed",
		data: { intercepted: intercepted?.position },
	});
});

test("a process that ends before the host's success leaves an interception that came to nothing", async () => {
	await using sandbox = new Sandbox();
	const dying: ExtensionFactory = (pi) => {
		pi.on("session_before_compact", () => host.drop());
	};
	const host: Host = await worked(await sandbox.create({ ...OPTIONS, after: [dying] }), "alpha", "beta");
	await host.session.compact().catch(() => {});
	const again = await sandbox.open(host.file, OPTIONS);
	await again.ask("where were we?");
	await again.session.compact();
	await expectAll(sandbox, host, again);
	const events = await told(sandbox, again);
	expect(kinds(events)).toEqual(["intercepted", "failed", "intercepted", "checkpointed"]);
	expect(events[1]?.data).toMatchObject({ aborted: false, intercepted: events[0]?.position });
});

test("a fork has the checkpoint of its parent, and chains its own to it", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	await host.session.compact();
	const parent = lastCompaction(host).details?.manifest;
	await host.work("gamma");
	await host.runtime.fork(host.path("message").at(-1) ?? "", { position: "at" });
	await host.work("delta");
	await host.session.compact();
	expect(lastCompaction(host).details?.manifest).toMatchObject({
		parent: parent?.id,
		previous: parent?.digest,
	});
	await host.ask("what now?");
	await expectAll(sandbox, host);
	const events = await told(sandbox, host);
	expect(kinds(events)).toEqual(["checkpointed", "intercepted", "checkpointed"]);
	expect(events[0]?.data.intercepted).toBeUndefined();
});
