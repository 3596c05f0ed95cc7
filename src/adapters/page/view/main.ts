import { h, render } from "preact";
import { connect } from "./api.ts";
import { App } from "./app.ts";
import { followGrowth } from "./growth.ts";
import { takeTheme } from "./header.ts";
import { keepKeys } from "./keys.ts";
import { keepTheme } from "./paint.ts";
import { keepPlace } from "./place.ts";
import { keepPlaying } from "./player.ts";
import { change } from "./state.ts";
import { keepTaking, takeToken } from "./token.ts";

connect({
	token: await takeToken(),
	onTrouble: ({ status, message }) =>
		change({ trouble: { kind: status === 0 ? "gone" : "token", message }, playing: 0 }),
});
keepTaking();
keepTheme();
takeTheme();
keepPlace();
keepPlaying();
keepKeys();
followGrowth();
const root = document.getElementById("page");
if (root) render(h(App, null), root);
