import { getAt } from '../../edits/at.ts';
import { indexOf } from '../../edits/refs.ts';
import type { AnyDefinition } from '../../definition-text.ts';
import type { Issue } from '../../../../../shared/flows/definition/issues.ts';
import { chooseStart, connectPort, giveId, removeUnreached, renameSecond } from './fix-graph.ts';
import { addDefault, doubleBraces, unknownCredential, unknownPlaceholder } from './fix-templates.ts';
import { oneDuration, put, putBeside, removeIt, unknownField, unknownKey, unknownTag, useNear } from './fix-values.ts';
import { findBlockOf, placeOf, type FindFixes, type Fix } from './fix.ts';
import { words } from './words.ts';

/** What can be done about each kind of problem, by its code. */
const byCode: Readonly<Record<string, FindFixes>> = {
  unknown_field: unknownField,
  unknown_placeholder: unknownPlaceholder,
  unknown_credential: unknownCredential,
  unknown_tag: unknownTag,
  unknown_block_type: useNear,
  unknown_port: removeIt(words.removePort),
  may_be_empty: addDefault,
  single_braces: doubleBraces,
  open_error_port: connectPort,
  missing_port: connectPort,
  missing_target: connectPort,
  no_start: chooseStart,
  duplicate_id: renameSecond,
  unreachable_block: removeUnreached,
  invalid_shape: (problem) => [...giveId(problem), ...unknownKey(problem)],
  no_duration: oneDuration,
  duplicate_choice: removeIt(() => words.removeChoice),
  no_choices: putBeside(words.expectText, 'expects', 'text'),
  unused_choices: (problem) => [
    ...putBeside(words.expectChoice, 'expects', 'choice')(problem),
    ...removeIt(words.remove)(problem),
  ],
  unused_value: removeIt(words.remove),
  unused_body: removeIt(words.remove),
  body_of_get: putBeside(words.sendAs('POST'), 'method', 'POST'),
  refused_header: ({ issue: { path } }) => {
    const at = placeOf(path);
    const name = at?.within.replace(/^headers\./, '');
    if (!at || name === undefined) return [];
    const headers = `blocks.${at.index}.headers`;
    return [
      {
        label: words.remove(name),
        type: 'edit',
        change: (definition) => withoutName(definition, headers, name),
      },
    ];
  },
  wrong_operator: ({ issue: { path } }) =>
    path.endsWith('.field') ? [put(words.use('tags'), path, 'tags')] : [put(words.compareIs, path, 'is')],
  wrong_type: ({ issue: { path } }) =>
    path.endsWith('.read_as') ? [put(words.remove('read_as'), path, undefined)] : [put(words.setInstead, path, 'set')],
};

/** Names of headers may have dots, which are no paths. */
const withoutName = (definition: AnyDefinition, path: string, name: string): AnyDefinition => {
  const table = getAt(definition, path);
  if (typeof table !== 'object' || table === null) return definition;
  const rest = Object.entries(table).filter(([other]) => other !== name);
  const fix = put('', path, rest.length === 0 ? undefined : Object.fromEntries(rest));
  return fix.type === 'edit' ? fix.change(definition) : definition;
};

/** The codes of problems about which something can be done. */
export const fixableCodes: readonly string[] = Object.keys(byCode);

/** What can be done about a problem of a definition. Its path is from the definition, as that was when the problem was found. */
export const fixesOf = (issue: Issue, definition: AnyDefinition): Fix[] => {
  const path = findPathNow(issue, definition);
  if (path === undefined) return [];
  return byCode[issue.code]?.({ issue: { ...issue, path }, definition, value: getAt(definition, path) }) ?? [];
};

/** The path of a problem where its block may have moved in the list; undefined where the block is gone. */
const findPathNow = (issue: Issue, definition: AnyDefinition): string | undefined => {
  const place = placeOf(issue.path);
  if (!place || !Array.isArray(definition.blocks)) return issue.path;
  const ref = findBlockOf(definition, issue);
  if (ref === undefined) return undefined;
  const index = indexOf(definition, ref);
  return place.within === '' ? `blocks.${index}` : `blocks.${index}.${place.within}`;
};
