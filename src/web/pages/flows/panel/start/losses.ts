import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { triggerTypes } from '../../../../../shared/flows/definition/triggers.ts';
import { findLosses } from '../../../../../shared/flows/who-wins.ts';
import { foldTag } from '../../../../../shared/tags/fold.ts';
import { foldTyped } from '../../../../../shared/typed/text.ts';
import type { z } from 'zod';
import type { liveTriggers } from '../../../../../shared/flows/trigger-schema.ts';

/** As the API lists them. */
export type LiveTriggers = z.infer<typeof liveTriggers>['data'];

type Row = Parameters<typeof findLosses>[0][number];

/** What a trigger of the draft can never get once it is published: a word, or null for all, to whom it goes, and why. */
export type DraftLoss = {
  word: string | null;
  flowId: string;
  flowName: string;
  why: 'interrupts' | 'priority' | 'older' | 'own';
};

type Draft = { flowId: string; triggers: unknown };

/** What each trigger of a draft loses to the live triggers of other flows and to those before it, by its place in the draft. */
export const findDraftLosses = (
  { flowId, triggers }: Draft,
  live: Readonly<LiveTriggers>,
): ReadonlyMap<number, readonly DraftLoss[]> => {
  const own = (Array.isArray(triggers) ? triggers : []).flatMap((trigger: unknown, place) =>
    rowOf(trigger, { flowId, place }),
  );
  const others = live.flatMap((trigger): Row[] =>
    trigger.flow_id === flowId
      ? []
      : [{ ...trigger, flowId: trigger.flow_id, flowName: trigger.flow_name, place: 0, words: trigger.words }],
  );
  const rows = [...others, ...own].toSorted(inTurn);
  const losses = findLosses(rows);
  return new Map(
    rows.flatMap((row, index) => {
      if (row.flowId !== flowId) return [];
      const lost = (losses[index] ?? []).map(({ word, to }) => ({
        word,
        flowId: to.flowId,
        flowName: to.flowName,
        why: whyWins(to, row),
      }));
      return [[row.place, lost] as const];
    }),
  );
};

/** As the triggers of an account are tried: ids of flows stand in the order in which they were created. */
const inTurn = (one: Row, other: Row): number =>
  triggerTypes.indexOf(one.type) - triggerTypes.indexOf(other.type) ||
  Number(other.interrupt) - Number(one.interrupt) ||
  other.priority - one.priority ||
  (one.flowId < other.flowId ? -1 : one.flowId > other.flowId ? 1 : one.place - other.place);

const whyWins = (to: Row, row: Row): DraftLoss['why'] => {
  if (to.flowId === row.flowId) return 'own';
  if (to.interrupt !== row.interrupt) return 'interrupts';
  return to.priority > row.priority ? 'priority' : 'older';
};

const matches = ['exact', 'contains', 'prefix'] as const;

/** A trigger of a draft as it would be stored; none for one that is half-finished. */
const rowOf = (trigger: unknown, { flowId, place }: { flowId: string; place: number }): Row[] => {
  if (!isObject(trigger)) return [];
  const type = triggerTypes.find((known) => known === trigger['type']);
  if (!type) return [];
  const { words, priority, match, interrupt, tag, status, payload } = trigger;
  const isLink = type === 'start_link';
  const comparesLink = isLink && typeof payload === 'string';
  const texts = Array.isArray(words) ? words.filter((word): word is string => typeof word === 'string') : [];
  return [
    {
      flowId,
      flowName: '',
      place,
      type,
      priority: typeof priority === 'number' ? priority : 0,
      match: type === 'keyword' || comparesLink ? (matches.find((known) => known === match) ?? 'exact') : null,
      words: type === 'keyword' ? [...new Set(texts.map(foldTyped))] : comparesLink ? [payload.trim()] : null,
      interrupt: isLink || (type === 'keyword' && interrupt === true),
      tag: type === 'tag_applied' && typeof tag === 'string' ? foldTag(tag) : null,
      status: type === 'order_status_changed' && typeof status === 'string' ? status : null,
    },
  ];
};
