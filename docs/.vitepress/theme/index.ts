/** VitePress's theme, with tabs whose choice is remembered on all pages. */

import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client";
import "./site.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => enhanceAppWithTabs(app),
} satisfies Theme;
