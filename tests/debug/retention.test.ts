import { expect, test } from "vitest";
import { itemsOf, retention } from "../../src/debug/retention.ts";
import { fold, path, replied, view } from "./trajectories.ts";

const entries = path(
	"result: first_name second_name\nthird_name fourth_name",
	"result: fifth_name",
	"assistant: first_name second_name third_name fourth_name fifth_name",
);

test("kept is what any visible text names, attributed what a fold that holds it names", () => {
	const texts = [fold(0, 0, "Ran.\na: first_name"), fold(1, 1, "Ran.\nb: second_name fifth_name")];
	const kept = retention([replied(view(entries, 2, { texts }), 2)]);
	expect(kept).toMatchObject({ needs: 5, kept: 3 / 5, attributed: 2 / 5 });
});

test("a pair comes from one line and must stand in one item", () => {
	const together = [fold(0, 0, "Ran.\na: first_name second_name\nb: third_name\nc: fourth_name")];
	expect(retention([replied(view(entries, 2, { texts: together }), 2)])).toMatchObject({
		pairs: 2,
		paired: 1 / 2,
	});
	const opening = [fold(0, 0, "Ran first_name second_name.\nb: third_name")];
	expect(retention([replied(view(entries, 2, { texts: opening }), 2)])).toMatchObject({ paired: 0 });
});

test("the line of the reply itself makes no pair", () => {
	const apart = path(
		"result: first_name\nsecond_name",
		"assistant: first_name second_name",
		"assistant: first_name",
	);
	const window = view(apart, 1);
	expect(retention([replied(window, 1), replied(window, 2)])).toMatchObject({ needs: 2, pairs: 0 });
});

test("a brief counts its characters once, and in every window that shows it", () => {
	const texts = [fold(0, 0, "Ran.\na: first_name")];
	const [shown, bare] = [view(entries, 1, { texts }), view(entries, 0)];
	const kept = retention([replied(bare, 2), replied(shown, 2), replied(shown, 2), replied(bare, 2)]);
	expect(kept).toMatchObject({ chars: 18, meanVisibleChars: 9 });
});

test("nothing needed is nothing lost", () => {
	expect(retention([])).toEqual({
		needs: 0,
		kept: 1,
		attributed: 1,
		pairs: 0,
		paired: 1,
		chars: 0,
		meanVisibleChars: 0,
	});
});

test("items are the lines after the opening, or the pieces of a brief in one line", () => {
	expect(itemsOf("Ran.\na: x\nb: y")).toEqual(["a: x", "b: y"]);
	expect(itemsOf("one · two | three")).toEqual(["one", "two", "three"]);
});
