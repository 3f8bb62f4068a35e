/** Windows over the page: each is filled when it opens, and closes when the language changes. */

import { element, on, state } from "./state.js";

/** Have the button with the id `button` open the window `dialog`, which `fill` fills. */
export function opens(button, dialog, fill) {
  element(button).addEventListener("click", () => {
    fill();
    element(dialog).returnValue = "";
    element(dialog).showModal();
  });
}

let language = "";

/** What an open window says was filled in another language. */
function closeStrange() {
  if (language !== state.page.language) document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close(""));
  language = state.page.language;
}

on("page", closeStrange);
