import type { PageApi, PageEvents } from './page-api.ts';

export type Events = {
  on: PageApi['on'];
  emit: <E extends keyof PageEvents>(event: E, told: PageEvents[E]) => void;
};

/** Listeners of the page. One that throws stops neither the others nor the chat. */
export const createEvents = (): Events => {
  const target = new EventTarget();
  return {
    on: (event, listener) => {
      const hear = (heard: Event): void => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `emit` has taken it for this event
        if (heard instanceof CustomEvent) listener(heard.detail as PageEvents[typeof event]);
      };
      target.addEventListener(event, hear);
      return () => target.removeEventListener(event, hear);
    },
    emit: (event, told) => void target.dispatchEvent(new CustomEvent(event, { detail: told })),
  };
};
