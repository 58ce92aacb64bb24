import "./styles/all.css";
import { createEffect } from "solid-js";
import { render } from "solid-js/web";
import { userSettings } from "../api/user-settings.ts";
import { watchAddress } from "./app/route.ts";
import { isReady, run, state } from "./app/state.ts";
import { watchSystemTheme } from "./app/theme.ts";
import { useLanguage } from "./i18n/t.ts";
import { Shell } from "./shell/shell.tsx";
import { live, publish } from "./ui/live.ts";

publish(state.changes);
watchAddress();
watchSystemTheme();
void run();
render(() => {
  const ready = isReady();
  const wanted = live(["generation", "settings"], () =>
    state.isReady ? state.model.settings.get(userSettings.defaultLanguage) : "en",
  );
  createEffect(() => void useLanguage(new URLSearchParams(location.search).get("language") ?? wanted()));
  return <Shell isReady={ready()} />;
}, document.getElementById("app") as HTMLElement);
