import type { FieldDefinition } from '../../../../../shared/custom-fields/values.ts';
import { findBlock } from '../../../../../shared/flows/blocks/index.ts';
import { findPath, shortName, systemPaths, type PathType } from '../../../../../shared/flows/blocks/scope.ts';
import { awaitedEvents } from '../../../../../shared/flows/blocks/wait-event.ts';
import { fileParts } from '../../../../../shared/flows/templating/files.ts';
import { createIssues } from '../../../../../shared/flows/definition/issues.ts';
import { createNearest } from '../../../../../shared/flows/definition/nearest.ts';
import { readDraft } from '../../../../../shared/flows/definition/shape.ts';
import { createSetBefore, type SetBefore } from '../../../../../shared/flows/definition/surely-set.ts';
import type { AnyDefinition } from '../../definition-text.ts';
import { blocksOf } from '../../edits/blocks.ts';

export type Fields = ReadonlyMap<string, FieldDefinition>;

/**
 * Whether a name has a value at a block: the system always knows it, blocks before surely or perhaps set it, it comes with the contact or the
 * enrollment, or nothing before sets it.
 */
type HowSet = 'always' | 'surely' | 'maybe' | 'contact' | 'params' | 'never';

/** A name that a placeholder or rule may have. */
export type NameChoice = { name: string; type: PathType | undefined; set: HowSet };

/** The most parts of parameters and events that are proposed because the draft has them somewhere. */
const mostFound = 100;

/** The system's names, the contact's own first; not those that say the same at greater length. */
const systemNames = systemPaths.filter((path) => !path.startsWith('contact.') || path === 'contact.id');

/** The names that the draft may use, in the order in which they are proposed. */
export const listNames = (definition: AnyDefinition, fields: Fields): string[] => {
  const isOfContact = (name: string): boolean => !name.includes('.') && name !== 'now';
  const events = namesOfEvents(definition);
  const used = usedNames(definition).filter((name) => name.startsWith('params.') || events.length > 0);
  return [
    ...new Set([
      ...systemNames.filter(isOfContact),
      ...fields.keys(),
      ...namesOfFiles(definition).filter((name) => findPath(name, fields) !== undefined),
      'reply.text',
      ...used,
      ...events,
      ...systemNames.filter((name) => !isOfContact(name)),
    ]),
  ];
};

/** What is known of a name at the block at this place of the list; undefined where no block is meant. */
export const lookUpName = (
  name: string,
  { definition, fields, index }: { definition: AnyDefinition; fields: Fields; index: number | undefined },
): NameChoice => {
  const known = findPath(name, fields);
  return { name, type: known?.type, set: known?.mayBeEmpty === false ? 'always' : howSet(name) };

  function howSet(given: string): HowSet {
    const by = index === undefined ? 'never' : setBeforeOf(definition, fields)(given, index);
    if (by !== 'never') return by;
    const [root = ''] = shortName(given).split('.');
    if (root === 'params') return 'params';
    if (root === 'event') return triggerEvents(definition).length > 0 ? 'maybe' : 'never';
    return root === 'reply' ? 'never' : 'contact';
  }
};

const read = new WeakMap<AnyDefinition, { fields: Fields; setBefore: SetBefore }>();

/** Reading a draft takes some ms: it is done once for each. */
const setBeforeOf = (definition: AnyDefinition, fields: Fields): SetBefore => {
  const had = read.get(definition);
  if (had?.fields === fields) return had.setBefore;
  const draft = readDraft(createIssues(), createNearest(0), definition);
  const setBefore: SetBefore = draft ? createSetBefore(draft, fields) : () => 'never';
  read.set(definition, { fields, setBefore });
  return setBefore;
};

const usedName = /\b(?:params|event)\.[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*/gu;

const usedNames = (definition: AnyDefinition): string[] => {
  const found = new Set<string>();
  for (const [name] of JSON.stringify(definition).matchAll(usedName)) {
    if (found.size === mostFound) break;
    found.add(name);
  }
  return [...found];
};

const triggerEvents = ({ triggers }: AnyDefinition): string[] =>
  (Array.isArray(triggers) ? triggers : []).flatMap((trigger: unknown) => {
    const type: unknown =
      typeof trigger === 'object' && trigger !== null && 'type' in trigger ? trigger.type : undefined;
    return awaitedEvents.some((event) => event === type) ? [String(type)] : [];
  });

/** The fields that keep the ids of files that contacts send for an answer. */
export const fileFieldsOf = (definition: AnyDefinition): string[] =>
  blocksOf(definition).flatMap(({ type, expects, save_to: field }) =>
    type === 'ask' && (expects === 'image' || expects === 'file') && typeof field === 'string' ? [field] : [],
  );

/** The parts of those files. */
const namesOfFiles = (definition: AnyDefinition): string[] =>
  fileFieldsOf(definition).flatMap((field) => fileParts.map((part) => `${field}.${part}`));

/** What the events have that start the flow, or that its blocks wait for. */
const namesOfEvents = (definition: AnyDefinition): string[] => {
  const waited = blocksOf(definition).flatMap(({ type, event }) => (type === 'wait_event' ? [event] : []));
  const events = new Set<unknown>([...triggerEvents(definition), ...waited]);
  const kind = findBlock('wait_event');
  return awaitedEvents.flatMap((event) => {
    if (!kind || !events.has(event)) return [];
    return (kind.writes?.(kind.schema.parse({ id: 'any', type: kind.type, event })) ?? []).map(({ name }) => name);
  });
};
