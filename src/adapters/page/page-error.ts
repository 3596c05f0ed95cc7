/** Why the page's server does not answer. The codes are API, the wording is not. */
export const PAGE_ERROR_CODES = {
	PAGE_HOST: "the request was not made to this page by its own address, or comes from another site",
	PAGE_FORBIDDEN: "the request does not carry the token of this start of the page",
	PAGE_TICKET:
		"the ticket that a browser was opened with is unknown, was used before, or is older than a minute",
	PAGE_NOT_FOUND: "the page has nothing at this address, or the session has no such thing",
	PAGE_METHOD: "the address takes no such method",
	PAGE_BAD_REQUEST: "a part of the address, or the body, is missing or out of its range",
	PAGE_TOO_LARGE: "the body is larger than anything the page takes",
	PAGE_READ_ONLY: "the page was started without --write and changes nothing",
	PAGE_PRICE_CHANGED: "the price repeated is not the price now; the new quote comes with the refusal",
	PAGE_PORT: "another program listens at the port asked for, or the system does not let us listen there",
} as const;

/** One of the reasons the page's server does not answer. */
export type PageErrorCode = keyof typeof PAGE_ERROR_CODES;

const STATUS = {
	PAGE_HOST: 403,
	PAGE_FORBIDDEN: 401,
	PAGE_TICKET: 401,
	PAGE_NOT_FOUND: 404,
	PAGE_METHOD: 405,
	PAGE_BAD_REQUEST: 400,
	PAGE_TOO_LARGE: 413,
	PAGE_READ_ONLY: 403,
	PAGE_PRICE_CHANGED: 409,
	PAGE_PORT: 500,
} as const satisfies { readonly [code in PageErrorCode]: number };

/** A request that is not answered, or a page that cannot be served: what is wrong is in `code`. */
export class PageError extends Error {
	override readonly name = "PageError";
	readonly code: PageErrorCode;
	/** what goes beside the error in the answer */
	readonly more: Readonly<Record<string, unknown>>;

	constructor(code: PageErrorCode, message: string, more: Readonly<Record<string, unknown>> = {}) {
		super(message);
		this.code = code;
		this.more = more;
	}

	/** The HTTP status it is answered with. */
	get status(): (typeof STATUS)[PageErrorCode] {
		return STATUS[this.code];
	}
}
