import type { FieldDefinition } from '../custom-fields/values.ts';
import type { Problem } from '../errors.ts';
import { findPath } from '../flows/blocks/scope.ts';
import { dottedPath } from '../flows/templating/scope.ts';
import { parseTemplate, placeholdersOf } from '../flows/templating/template.ts';

/** Names that mean something only within a flow. */
const ofFlows: ReadonlySet<string> = new Set(['flow', 'run', 'reply', 'params', 'event']);

/** What is wrong in the template of a canned reply, in which only what is known of a contact and its account can be filled in. */
export const checkText = (text: string, fields: ReadonlyMap<string, FieldDefinition>): Problem[] => {
  const template = parseTemplate(text);
  const faults = template.problems.map(({ position, message }) => ({
    path: 'text',
    message: `${message} (at character ${position + 1})`,
  }));
  const unknown = placeholdersOf(template).flatMap(({ path, position }) => {
    if (path === null || isKnown(path, fields)) return [];
    const message = `has {{${path.slice(0, 100)}}} at character ${position + 1}: there is nothing of this name`;
    return [{ path: 'text', message }];
  });
  return [...faults, ...unknown];
};

const isKnown = (path: string, fields: ReadonlyMap<string, FieldDefinition>): boolean => {
  const [root = ''] = dottedPath(path).split('.');
  return !ofFlows.has(root) && findPath(path, fields) !== undefined;
};
