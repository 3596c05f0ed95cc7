import type { TestCounts } from "./evidence.ts";

/** Lines from the end of an output that are looked at. */
const LINES = 400;
/** Lines that may lie between what passed and what failed. */
const NEAR = 3;

const PASSED =
	/(\d+)\s*(?:tests?\s+|specs?\s+|examples?,?\s+)?(?:passed|passing|bestanden|(?:个|個|项|項|条)?(?:测试|測試|用例)?\s*(?:通过|通過)|合格|통과)|^\s*(?:#|ℹ)\s+pass\s+(\d+)|(?:passed|bestanden|通过|通過|成功)\s*[:：]?\s*(\d+)/i;
const FAILED =
	/(\d+)\s*(?:tests?\s+|specs?\s+)?(?:failed|failing|failures?|fehlgeschlagen|(?:个|個|项|項|条)?(?:测试|測試|用例)?\s*(?:失败|失敗)|실패)|^\s*(?:#|ℹ)\s+fail\s+(\d+)|(?:failed|failures?|fehlgeschlagen|失败|失敗)\s*[:：=]?\s*(\d+)/i;
/** How Python's own runner ends, and what of the tests it tells apart there is a failure: skipped ones are not. */
const RAN = /^Ran (\d+) tests? in /m;
const FAILING: ReadonlySet<string> = new Set(["failures", "errors", "unexpected successes"]);

/** The tests that an output says passed and failed: the line that counts tests, else the last that counts anything. */
export function testCounts(output: string): TestCounts | undefined {
	const python = pythonCounts(output);
	if (python) return python;
	const lines = output.split("\n").slice(-LINES);
	let last: { at: number; counts: TestCounts; isTests: boolean } | undefined;
	for (const [at, line] of lines.entries()) {
		const counts = countsIn(line);
		if (!counts) continue;
		const isTests = /^\W*tests?\b/i.test(line);
		if (last?.isTests && !isTests) continue;
		const goesOn = last !== undefined && at - last.at <= NEAR && isOtherHalf(last.counts, counts);
		last = { at, counts: goesOn ? { ...last?.counts, ...counts } : counts, isTests };
	}
	const isCount = last && (last.counts.passed !== undefined || (last.counts.failed ?? 0) > 0);
	return isCount ? last?.counts : undefined;
}

function isOtherHalf(a: TestCounts, b: TestCounts): boolean {
	return (
		(a.passed === undefined) !== (b.passed === undefined) &&
		(a.failed === undefined) !== (b.failed === undefined)
	);
}

function countsIn(line: string): TestCounts | undefined {
	if (line.length > 300 || !/\d/.test(line)) return undefined;
	const passed = numberIn(PASSED.exec(line));
	const failed = numberIn(FAILED.exec(line));
	if (passed === undefined && failed === undefined) return undefined;
	return { ...(passed !== undefined && { passed }), ...(failed !== undefined && { failed }) };
}

function numberIn(match: RegExpExecArray | null): number | undefined {
	const digits = match?.slice(1).find((group) => group !== undefined);
	return digits === undefined || digits.length > 9 ? undefined : Number(digits);
}

function pythonCounts(output: string): TestCounts | undefined {
	const ran = numberIn(RAN.exec(output));
	if (ran === undefined) return undefined;
	const ended = /^(?:FAILED|OK) \((.*)\)/m.exec(output)?.[1]?.split(", ") ?? [];
	const told = ended.map((part) => /^(\D*)=(\d{1,9})$/.exec(part)?.slice(1) ?? []);
	let passed = ran;
	let failed = 0;
	for (const [name = "", count] of told) {
		passed -= Number(count ?? 0);
		if (FAILING.has(name)) failed += Number(count);
	}
	// what fails before any test begins is none of those that ran
	return { passed: Math.max(0, passed), failed };
}
