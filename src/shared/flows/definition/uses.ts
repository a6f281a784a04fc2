import { isProfileField } from '../../custom-fields/values.ts';
import { readId } from '../../ids.ts';
import { foldTag } from '../../tags/fold.ts';
import { unreachable } from '../../unreachable.ts';
import type { Reference } from '../blocks/block.ts';
import { findBlock } from '../blocks/index.ts';
import { isItemName } from '../blocks/for-each.ts';
import { isSystemName } from '../blocks/scope.ts';
import { parseTemplate, placeholdersOf } from '../templating/template.ts';
import type { Definition } from './definition.ts';

/**
 * What a definition needs of its account, sorted: `field:<key>`, `tag:<name>` folded, `credential:<name>`, `flow:<uuid>`. None of
 * it may be deleted while the definition is in use.
 */
export const usesOf = ({ blocks, triggers }: Pick<Definition, 'blocks' | 'triggers'>): string[] => {
  const uses = blocks.flatMap((config) => {
    const block = findBlock(config.type);
    const references = block?.uses?.(config) ?? [];
    const templates = block?.templates?.(config) ?? [];
    const names = templates.flatMap(({ template, takesItem }) =>
      placeholdersOf(parseTemplate(template)).flatMap(({ path }) =>
        path === null || (takesItem && isItemName(path)) ? [] : [path],
      ),
    );
    return [...references.flatMap(textOf), ...names.flatMap(textOfName)];
  });
  const tags = triggers.flatMap((trigger) => (trigger.type === 'tag_applied' ? [tagUse(trigger.tag)] : []));
  return [...new Set([...uses, ...tags])].sort();
};

const textOf = (reference: Reference): string[] => {
  switch (reference.type) {
    case 'field':
      return [`field:${reference.key}`];
    case 'name':
      return textOfName(reference.name);
    case 'tag':
      return [tagUse(reference.name)];
    case 'credential':
      return [`credential:${reference.name}`];
    case 'flow':
      return [`flow:${readId('flow', reference.id)}`];
    default:
      return unreachable(reference);
  }
};

const tagUse = (name: string): string => `tag:${foldTag(name)}`;

const textOfName = (name: string): string[] => {
  const [root = '', second = '', third] = name.split('.');
  if (root === 'credential') return [`credential:${second}`];
  if (root === 'contact' && second === 'custom_fields' && third !== undefined) return [`field:${third}`];
  return isSystemName(root) || isProfileField(root) ? [] : [`field:${root}`];
};
