/** What recall does; `search` unless asked for another. */
export const RECALL_ACTIONS = ["search", "list", "read", "summary", "summary_search"] as const;

/** One of {@link RECALL_ACTIONS}. */
export type RecallAction = (typeof RECALL_ACTIONS)[number];
