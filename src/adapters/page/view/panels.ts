import type { FunctionComponent } from "preact";
import { ComparePanel } from "./compare-panel.ts";
import { CostPanel } from "./cost-panel.ts";
import { DecisionPanel } from "./decision-panel.ts";
import { FoldsPanel } from "./folds-panel.ts";
import { ItemPanel } from "./item-panel.ts";
import { LogPanel } from "./log-panel.ts";
import { MemoryPanel } from "./memory-panel.ts";
import { SearchPanel } from "./search-panel.ts";
import { WhatIfPanel } from "./what-if-panel.ts";

/** A panel of the right column: a tab with a view behind it. It asks for what it needs by `useAnswer`. */
export interface Panel {
	/** in links: `#panel=…`; lower case letters and hyphens */
	readonly name: string;
	readonly title: string;
	readonly View: FunctionComponent;
}

/** The panels, in the order of their tabs. The first one is open where a link names none. */
export const panels: readonly Panel[] = [
	{ name: "item", title: "Item", View: ItemPanel },
	{ name: "decision", title: "Decision", View: DecisionPanel },
	{ name: "folds", title: "Folds", View: FoldsPanel },
	{ name: "memory", title: "Memory", View: MemoryPanel },
	{ name: "log", title: "Log", View: LogPanel },
	{ name: "search", title: "Search", View: SearchPanel },
	{ name: "cost", title: "Cost", View: CostPanel },
	{ name: "compare", title: "Compare", View: ComparePanel },
	{ name: "what-if", title: "What if", View: WhatIfPanel },
];
