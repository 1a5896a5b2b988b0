import DefaultTheme from "vitepress/theme";
import "../../../src/dashboard/style/tokens.css";
import Playground from "./Playground.vue";
import "./site.css";
import "./playground.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component("Playground", Playground);
  },
};
