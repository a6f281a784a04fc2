import { unquotedPlaceholders } from '../templating/render-json.ts';
import { foldTag } from '../../tags/fold.ts';
import { unreachable } from '../../unreachable.ts';
import type { BlockConfig, Block, Known, Reference, TemplateUse } from '../blocks/block.ts';
import { isItemName } from '../blocks/for-each.ts';
import { findPath, systemPaths } from '../blocks/scope.ts';
import { parseTemplate, placeholdersOf, type Placeholder } from '../templating/template.ts';
import type { Finding, Issues } from './issues.ts';
import type { Nearest } from './nearest.ts';
import { findSingleBraces, findUnfilled } from './unfilled.ts';
import type { SurelySet } from './surely-set.ts';

type At = { block_id: string; path: string };

/** A place in the list of blocks. */
type Place = { at: At; index: number };

/** What a definition is checked by: where findings go, what the account has, what may have been meant by a name, and what blocks have set. */
export type Check = { issues: Issues; nearest: Nearest; known: Known; isSurelySet: SurelySet };

/** Tells what a block refers to and the account does not have, and what is wrong in its templates. */
export const checkReferences = (
  check: Check,
  { block, config, index }: { block: Block; config: BlockConfig; index: number },
): void => {
  const at = ({ path }: { path: string }): At => ({ block_id: config.id, path: `blocks.${index}.${path}` });
  for (const reference of block.uses?.(config) ?? []) checkReference(check, reference, at(reference));
  const templates = block.templates?.(config) ?? [];
  for (const use of templates) checkTemplate(check, use, { at: at(use), index });
  // Pages show the name as it is written.
  const filledIn = new Set(['name', ...templates.map(({ path }) => path)]);
  for (const { path, message } of findUnfilled(config, filledIn))
    check.issues.add({ ...at({ path }), code: 'unfilled_placeholder', message, hint: unfilledHint });
  for (const { hint, ...problem } of block.check?.(config, check.known) ?? [])
    check.issues.add({ ...problem, ...at(problem), hint: hint ?? null });
};

/** Tells of a tag that is not there yet. */
export const checkTag = (
  { issues, nearest, known }: Check,
  { name, isMade = false }: { name: string; isMade?: boolean },
  at: Pick<Finding, 'path' | 'block_id'>,
): void => {
  if (known.tags.has(foldTag(name))) return;
  const message = `is no tag yet: ${isMade ? 'it is made when it is first used' : 'no contact has it'}`;
  issues.add({ ...at, code: 'unknown_tag', severity: 'warning', message, hint: nearest('tag', name, known.tags) });
};

/** Tells of placeholders in triggers, where nothing fills them in. */
export const checkTrigger = ({ issues }: Pick<Check, 'issues'>, trigger: unknown, index: number): void => {
  for (const { path, message } of findUnfilled(trigger, new Set()))
    issues.add({ code: 'unfilled_placeholder', path: `triggers.${index}.${path}`, message, hint: unfilledHint });
};

const unfilledHint = 'Write there what is meant.';

const checkReference = (check: Check, reference: Reference, at: At): void => {
  const { issues, nearest, known } = check;
  switch (reference.type) {
    case 'field': {
      if (known.fields.has(reference.key)) return;
      const hint = nearest('field', reference.key, known.fields.keys());
      return issues.add({ ...at, code: 'unknown_field', message: 'is not a field of the account', hint });
    }
    case 'name': {
      if (findPath(reference.name, known.fields)) return;
      const hint = nearest('name', reference.name, [...known.fields.keys(), ...systemPaths]);
      return issues.add({ ...at, code: 'unknown_field', message: 'is not a field of the account', hint });
    }
    case 'tag':
      return checkTag(check, reference, at);
    case 'credential': {
      if (known.credentials.has(reference.name)) return;
      const hint = nearest('credential', reference.name, known.credentials.keys());
      return issues.add({ ...at, code: 'unknown_credential', message: 'is not a credential of the account', hint });
    }
    case 'flow':
      return checkFlow(check, reference.id, at);
    default:
      return unreachable(reference);
  }
};

const checkFlow = ({ issues, known }: Check, id: string, at: At): void => {
  if (known.flowId !== null && leadsTo(id, known.flowId, known.flows)) {
    const message = id === known.flowId ? 'is this flow itself' : 'starts this flow again, by itself or by others';
    issues.add({ ...at, code: 'recursion', message, hint: 'Use goto to begin again.' });
  } else if (!known.flows.has(id)) {
    issues.add({ ...at, code: 'unknown_flow', message: 'is not a flow of the account' });
  } else if (known.flows.get(id)?.isLive === false) {
    const message = 'is not live: a run that comes here before it is fails';
    issues.add({ ...at, code: 'flow_not_live', severity: 'warning', message });
  }
};

const leadsTo = (from: string, to: string, flows: Known['flows']): boolean => {
  const reached = new Set([from]);
  for (const id of reached) for (const next of flows.get(id)?.starts ?? []) reached.add(next);
  return reached.has(to);
};

const checkTemplate = (check: Check, use: TemplateUse, { at, index }: Place): void => {
  const template = parseTemplate(use.template);
  for (const { position, message } of template.problems)
    check.issues.add({ ...at, code: 'invalid_template', message: `${message} (at character ${position + 1})` });
  for (const { position, name } of findSingleBraces(template))
    if (findPath(name, check.known.fields))
      check.issues.add({
        ...at,
        code: 'single_braces',
        severity: 'warning',
        message: `has {${name}} at character ${position + 1}, which is shown as it is`,
        hint: `A placeholder has two braces: {{${name}}}.`,
      });
  const becomesNull = use.place === 'json' ? unquotedPlaceholders(use.template) : undefined;
  const placeholders = placeholdersOf(template);
  const isAlone = template.parts.length === 1;
  for (const placeholder of placeholders) {
    const mayBeEmpty = becomesNull?.has(placeholder.position) ?? (use.takesNothing === true && isAlone);
    checkPlaceholder(check, { ...use, mayBeEmpty }, placeholder, { at, index });
  }
};

/** Only a run knows what an item has. */
const nameOfItem = (path: string): { mayBeEmpty: boolean } => ({ mayBeEmpty: path !== 'item' && path !== 'index' });

const checkPlaceholder = (
  check: Check,
  use: TemplateUse & { mayBeEmpty: boolean },
  { path, filters, position }: Placeholder,
  { at, index }: Place,
): void => {
  const { issues, nearest, known, isSurelySet } = check;
  if (path === null) return;
  const where = `{{${path.slice(0, 100)}}} at character ${position + 1}`;
  if (path === 'credential' || path.startsWith('credential.')) {
    const type = known.credentials.get(path.slice('credential.'.length))?.type;
    const hint =
      type === undefined ? nearest('credential', path.slice('credential.'.length), known.credentials.keys()) : null;
    if (type === undefined)
      issues.add({ ...at, code: 'unknown_credential', message: `has ${where}: there is no such credential`, hint });
    else if (type !== 'header' || !use.takesCredentials || filters.length > 0) {
      const message = `has ${where}: only credentials of type header, without filters, in headers, query and body`;
      issues.add({ ...at, code: 'misplaced_credential', message });
    }
    return;
  }
  const found = use.takesItem && isItemName(path) ? nameOfItem(path) : findPath(path, known.fields);
  if (!found) {
    const hint = nearest('name', path, [...known.fields.keys(), ...systemPaths]);
    issues.add({ ...at, code: 'unknown_placeholder', message: `has ${where}: there is nothing of this name`, hint });
  } else if (
    found.mayBeEmpty &&
    !use.mayBeEmpty &&
    !filters.some(({ name }) => name === 'default') &&
    !isSurelySet(path, index)
  ) {
    const message = `has ${where}, which may be empty`;
    const hint = `Say what stands there then: {{${path.slice(0, 100)}|default:"…"}}.`;
    issues.add({ ...at, code: 'may_be_empty', severity: 'warning', message, hint });
  }
};
