import { z } from 'zod';
import type { Block, BlockProblem, Effect, Move } from './block.ts';
import { tagName } from '../../tags/schema.ts';
import { renderText } from '../templating/render.ts';
import { blockSchema } from './schemas.ts';
import { scopeOf } from './scope.ts';
import type { BlockContext } from './context.ts';

const ports = () => [{ name: 'default', omitted: 'following' }] as const;

const tag = z.string().trim().min(1).max(500);

const addSchema = blockSchema(
  'add_tag',
  {
    tag: tag.meta({
      description:
        'The name of the tag, up to 100 characters, with placeholders. One that is not there yet is made on first use; an empty one adds none.',
    }),
  },
  ['default'],
);

export const addTag: Block<z.output<typeof addSchema>> = {
  type: 'add_tag',
  summary: 'Puts a tag on the contact.',
  schema: addSchema,
  ports,
  uses: ({ tag: name }) => (isConstant(name) ? [{ path: 'tag', type: 'tag', name, isMade: true }] : []),
  templates: ({ tag: template }) => [{ path: 'tag', template, place: 'text' }],
  check: ({ tag: template }) => findProblems(template),
  enter: ({ tag: template }, context) => change('add_tag', template, context),
};

const removeSchema = blockSchema(
  'remove_tag',
  { tag: tag.meta({ description: 'The name of the tag, with placeholders; an empty one removes none.' }) },
  ['default'],
);

export const removeTag: Block<z.output<typeof removeSchema>> = {
  type: 'remove_tag',
  summary: 'Takes a tag from the contact.',
  schema: removeSchema,
  ports,
  uses: ({ tag: name }) => (isConstant(name) ? [{ path: 'tag', type: 'tag', name }] : []),
  templates: ({ tag: template }) => [{ path: 'tag', template, place: 'text' }],
  check: ({ tag: template }) => findProblems(template),
  enter: ({ tag: template }, context) => change('remove_tag', template, context),
};

const isConstant = (template: string): boolean => !template.includes('{{');

const findProblems = (template: string): BlockProblem[] => {
  const { error } = isConstant(template) ? tagName.safeParse(template) : {};
  return error ? [{ code: 'invalid_value', path: 'tag', message: error.issues[0]?.message ?? 'is no tag' }] : [];
};

/** A run that went on without its tag would go on with what is not so, unless there is no value for it. */
const change = (
  type: Extract<Effect['type'], 'add_tag' | 'remove_tag'>,
  template: string,
  context: BlockContext,
): Move => {
  const rendered = renderText(template, scopeOf(context));
  if (!rendered.ok) return { type: 'fail', reason: 'invalid_template' };
  if (rendered.text.trim() === '') return { type: 'go', port: 'default' };
  const name = tagName.safeParse(rendered.text);
  if (!name.success) return { type: 'fail', reason: 'invalid_value' };
  return { type: 'go', port: 'default', effects: [{ type, name: name.data }] };
};
