// The smallest program that draws with Ink and waits for keys.
import { render, Text, useInput } from "ink";
import { createElement } from "react";

function Empty() {
  useInput(() => {});
  return createElement(Text, null, "ready");
}

render(createElement(Empty));
