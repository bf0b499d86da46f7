// One Chromium for all files of tests: says its address, and ends with whoever has started it (tests/web/run).
import { chromium } from "playwright-core";
import { SETTINGS } from "./browser.js";

const server = await chromium.launchServer(SETTINGS);
console.log(server.wsEndpoint());
process.on("SIGTERM", () => server.close().then(() => process.exit(0)));
