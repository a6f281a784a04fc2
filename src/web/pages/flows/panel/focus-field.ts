const focusable = 'input:not([type=hidden]), textarea, select, [contenteditable=true], button:not([tabindex="-1"])';

/** The control of a path, or of what is nearest above it. */
const findField = (within: HTMLElement, path: string): HTMLElement | undefined => {
  const fields = [...within.querySelectorAll<HTMLElement>('[data-field]')];
  for (let at = path; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const found = fields.find(({ dataset: { field } }) => field === at || field?.startsWith(`${at}.`));
    if (found) return found;
  }
  return undefined;
};

/** Gives the focus to the control of a path within a form; without one, to the name or title in its head. */
export const focusField = (within: HTMLElement, path: string): void => {
  const field = findField(within, path);
  if (!field) {
    const head = within.querySelector<HTMLElement>('.panel-title :is(input:not(:disabled), [tabindex])');
    (head ?? within.querySelector<HTMLElement>(focusable))?.focus({ preventScroll: true });
    return;
  }
  field.scrollIntoView({ block: 'center' });
  (field.matches(focusable) ? field : field.querySelector<HTMLElement>(focusable))?.focus({ preventScroll: true });
};
