import { type ComponentChildren, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { foldTree, TreeRow } from "../../../debug/fold-tree.ts";
import { foldLook, foldName } from "./fold-looks.ts";
import { icon } from "./icons.ts";
import { Failure } from "./notices.ts";
import { count, short } from "./numbers.ts";
import { useAnswer } from "./use-answer.ts";

/** Folds of a level asked for at first, and added by each press of "Show more". */
const AT_ONCE = 100;

/** What `/api/tree/:request` answers. */
export type FoldLevel = ReturnType<typeof foldTree>;

/** The address of a level of the tree. */
export function levelPath(at: number, parent: string | undefined, limit: number = AT_ONCE): string {
	const below = parent === undefined ? "" : `parent=${encodeURIComponent(parent)}&`;
	return `/api/tree/${at}?${below}limit=${limit}`;
}

/** What the branches of a tree go by. */
interface TreeProps {
	readonly at: number;
	/** ids of the groups that show their parts */
	readonly unfolded: ReadonlySet<string>;
	/** id of the fold that the keyboard is on */
	readonly cursor: string | undefined;
	readonly chosen: string | undefined;
	readonly onToggle: (id: string) => void;
	readonly onPick: (id: string) => void;
	/** told of the row that is chosen as far as it is shown, and `undefined` once it is not any more */
	readonly onChosen: (row: TreeRow | undefined) => void;
	readonly onOpen: (id: string) => void;
}

interface BranchProps extends TreeProps {
	readonly parent?: string;
	readonly level: number;
}

/** A level of the fold tree, fetched when it is first shown, with the levels below it that are. */
export function FoldBranch(props: BranchProps): ComponentChildren {
	const { at, parent, level } = props;
	const [limit, setLimit] = useState(AT_ONCE);
	const { value, error } = useAnswer<FoldLevel>(levelPath(at, parent, limit));
	if (error) return note(level, h(Failure, { error }));
	if (!value) return note(level, "Reading…");
	const left = value.total - value.rows.length;
	return [
		value.rows.map((row, index) => h(FoldItem, { ...props, key: row.id, row, index, of: value.total })),
		left > 0 &&
			h(
				"li",
				{ role: "treeitem", tabIndex: -1, "aria-level": level, "aria-selected": false },
				h(
					"button",
					{
						type: "button",
						class: "link tree-more",
						tabIndex: -1,
						onClick: () => setLimit(limit + 5 * AT_ONCE),
					},
					`Show more (${count(left)} left)`,
				),
			),
	];
}

interface ItemProps extends BranchProps {
	readonly row: TreeRow;
	readonly index: number;
	readonly of: number;
}

function FoldItem({ row, index, of, ...props }: ItemProps): ComponentChildren {
	const { level, unfolded, cursor, chosen, onChosen } = props;
	const isChosen = row.id === chosen;
	useEffect(() => {
		if (!isChosen) return;
		onChosen(row);
		return () => onChosen(undefined);
	}, [row, isChosen]);
	const isGroup = row.children > 0;
	const isUnfolded = isGroup && unfolded.has(row.id);
	return h(
		"li",
		{
			role: "treeitem",
			"data-fold": row.id,
			tabIndex: row.id === cursor ? 0 : -1,
			"aria-level": level,
			"aria-posinset": index + 1,
			"aria-setsize": of,
			"aria-expanded": isGroup ? isUnfolded : undefined,
			"aria-selected": isChosen,
			"aria-label": foldName(row),
		},
		h(
			"div",
			{
				class: "tree-row",
				title: foldLook(row).meaning,
				style: { paddingLeft: `${16 * level}px` },
				onClick: (event: MouseEvent) => {
					(event.currentTarget as HTMLElement).parentElement?.focus({ preventScroll: true });
					props.onPick(row.id);
				},
				onDblClick: () => props.onOpen(row.id),
			},
			h(
				"span",
				{
					class: isGroup ? "twist" : "twist none",
					"aria-hidden": "true",
					onClick: (event: MouseEvent) => {
						event.stopPropagation();
						props.onToggle(row.id);
					},
				},
				isGroup && icon("on"),
			),
			cells(row),
		),
		isUnfolded && h("ul", { role: "group" }, h(FoldBranch, { ...props, parent: row.id, level: level + 1 })),
	);
}

function cells(row: TreeRow): ComponentChildren {
	return [
		h("i", { class: `swatch ${foldLook(row).swatch}` }),
		h("span", { class: "cell fold-id mono quiet cut" }, row.id),
		h("span", { class: "cell title cut" }, row.title),
		row.state === "pending" && h("span", { class: "chip" }, foldLook(row).word),
		h("span", { class: "cell fold-entries quiet" }, count(row.entries)),
		h(
			"span",
			{ class: "cell fold-size" },
			short(row.source),
			h("span", { class: "quiet" }, " → "),
			short(row.text),
		),
	];
}

function note(level: number, children: ComponentChildren): ComponentChildren {
	return h(
		"li",
		{ role: "none", class: "tree-note", style: { paddingLeft: `${16 * level + 26}px` } },
		children,
	);
}
