import type { draft } from './draft.ts';
import type { drawing } from './drawing.ts';
import type { events } from './events.ts';
import type { flows } from './flows.ts';
import type { receiving } from './receiving.ts';
import type { testRequest } from './test-request.ts';
import type { triggers } from './triggers.ts';

/** Words that a browser gets with the pages that say them, which add them by `addWords`: the first load has room for those that many say. */
export type WordsOfPages = {
  draft: typeof draft;
  drawing: typeof drawing;
  events: typeof events;
  flows: typeof flows;
  receiving: typeof receiving;
  testRequest: typeof testRequest;
  triggers: typeof triggers;
};
