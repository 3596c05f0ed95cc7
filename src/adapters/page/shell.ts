import { createHash } from "node:crypto";

/** Where the page finds the libraries its modules name. */
const IMPORT_MAP = JSON.stringify({
	imports: {
		preact: "/lib/preact.js",
		"preact/hooks": "/lib/preact-hooks.js",
		uplot: "/lib/uplot.js",
	},
});

/**
 * What the page may do: run scripts and styles of its own, the one inline script being the map of its libraries, named by
 * its digest; talk to nobody but its server; be framed by nobody.
 */
export const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	`script-src 'self' 'sha256-${createHash("sha256").update(IMPORT_MAP).digest("base64")}'`,
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

/**
 * The page before any of its modules ran, which holds nothing of a session.
 * @param page its HTML, which names its modules and not where the libraries of those are
 */
export function withImportMap(page: string): string {
	// a function, for the map is no pattern of replacement
	return page.replace(
		/(?=<script type="module")/,
		() => `<script type="importmap">${IMPORT_MAP}</script>\n\t\t`,
	);
}
