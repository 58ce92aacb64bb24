/**
 * F6 goes from one part of the page to the next, with Shift back: the bar, the list, the view, its message
 * box, people.
 */
const PARTS = "header.top-bar, nav, main, main form.box, aside";
const FIRST = [
  "[data-stop][tabindex='0']",
  "[aria-current='page']",
  "[role='feed'] article[tabindex='0']",
  "textarea",
  "a[href]:not([tabindex='-1']), button:not([tabindex='-1']), input, [tabindex='0']",
];

export function cycleLandmarks(event: KeyboardEvent): void {
  const parts = [...document.querySelectorAll<HTMLElement>(PARTS)].filter((part) => part.checkVisibility());
  const at = parts.findLastIndex((part) => part.contains(document.activeElement));
  const step = event.shiftKey ? -1 : 1;
  for (let count = 1; count <= parts.length; count++) {
    const next = parts[(Math.max(at, step === 1 ? -1 : 0) + step * count + parts.length * 2) % parts.length];
    if (next && focusIn(next)) return;
  }
}

function focusIn(part: HTMLElement): boolean {
  for (const wanted of FIRST) {
    const found = [...part.querySelectorAll<HTMLElement>(wanted)].find((element) =>
      element.checkVisibility(),
    );
    if (!found) continue;
    // A view whose first field is that of its box.
    const isNews = found !== document.activeElement;
    found.focus();
    return isNews;
  }
  return false;
}
