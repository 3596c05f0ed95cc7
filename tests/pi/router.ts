import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, vi } from "vitest";

/** A virtual model, `faux/router`: `pick` names the one that answers. */
export class Router {
	readonly #pick: () => string;
	#choose = async (): Promise<boolean> => false;

	constructor(pick: () => string) {
		this.#pick = pick;
	}

	readonly extension = (pi: ExtensionAPI): void => {
		pi.registerVirtualModel({
			provider: "faux",
			id: "router",
			name: "Router",
			route: (_request, ctx) => {
				const model = ctx.modelRegistry.find("faux", this.#pick());
				if (!model) throw new Error("no such model");
				return { model, thinkingLevel: "off" };
			},
		});
		pi.on("session_start", (_event, ctx) => {
			this.#choose = async () => {
				const model = ctx.modelRegistry.find("faux", "router");
				return model !== undefined && pi.setModel(model);
			};
		});
	};

	/** Has the virtual model chosen. The host reads its models anew behind a registration, and refuses all meanwhile. */
	async choose(): Promise<void> {
		await vi.waitFor(async () => expect(await this.#choose()).toBe(true), { timeout: 20_000 });
	}
}
