// Starts the page.

import "./styles.css";

import { render } from "preact";

import { App } from "./app.tsx";
import { AppState } from "./app_state.ts";
import { connectService } from "./rpc/service.ts";
import { listenForShortcuts } from "./shell/shortcuts.ts";
import { followTheme } from "./shell/theme.ts";

const app = new AppState(connectService(location.origin));
followTheme();
listenForShortcuts(app);
app.start();
render(<App app={app} />, document.getElementById("app")!);
