import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { label } from '../label.ts';
import { depthOf } from './depth.ts';
import { definitionLimits } from './definition/definition.ts';
import { exampleFlow } from './example.ts';

const flowStatuses = ['draft', 'live', 'paused', 'archived'] as const;

export type FlowStatus = (typeof flowStatuses)[number];

/** A body that holds a definition: its largest size in bytes, and the most values, since 500 blocks have many. */
export const definitionBody = { bodyLimit: 1_088 * 1024, maxValues: 25_000 } as const;

/** How deeply the objects and lists of a draft may lie in one another; those of a definition do so up to eight deep. */
const maxDepth = 32;

export const flowName = label.meta({ description: 'Need not be unique.' });

const example = exampleFlow();

/** A definition that may be half-finished: what is wrong with it is told in `issues`, and keeps it only from being published. */
export const draftDefinition = z
  .record(z.string().max(100), z.unknown())
  .refine((draft) => depthOf(draft) <= maxDepth, { error: `is nested more than ${maxDepth} deep`, abort: true })
  .refine((draft) => JSON.stringify(draft).length <= definitionLimits.characters, {
    error: `has more than ${definitionLimits.characters} characters as JSON`,
  })
  .meta({
    description:
      'As `/schemas/flow.json` at the base url says; it may be half-finished. At most 1 MiB and 25,000 values.',
    // As the values that a draft may have, of which these are some.
    maxProperties: definitionBody.maxValues,
    example,
  });

export type DraftDefinition = z.infer<typeof draftDefinition>;

export const newFlow = z
  .strictObject({
    name: flowName,
    definition: draftDefinition.default({ schema_version: 1, triggers: [], blocks: [] }),
  })
  .meta({ id: 'NewFlow', example: { name: 'Shirts', definition: example } });

export const flowChanges = z
  .strictObject({ name: flowName })
  .meta({ id: 'FlowChanges', example: { name: 'Shirts and hats' } });

export const newDraft = z
  .strictObject({ definition: draftDefinition })
  .meta({ id: 'NewFlowDraft', example: { definition: example } });

/** Nothing, for the draft that is stored. */
export const draftToCheck = newDraft.optional();

/** Filters of the list of flows. */
export const flowFilters = {
  status: z.enum(flowStatuses).optional().meta({ description: 'Only flows in this state; all states when not given.' }),
};

const flowFields = {
  id: id('flow'),
  name: asStored(z.string()),
  status: asStored(
    z.enum(flowStatuses).meta({
      description:
        'draft: not published, or unarchived; live: contacts can enter; paused: no contact can enter, and open runs wait at their next block; archived: no contact can enter, and open runs continue.',
    }),
  ),
  version: nullable(asStored(z.int()), { description: 'The version that contacts enter; null before the first.' }),
  draft_revision: asStored(z.int().meta({ description: "Counts the draft's changes: the ETag of the draft." })),
  draft_changed: asStored(
    z.boolean().meta({ description: 'Whether the draft was changed since `version` was made of it.' }),
  ),
  published_at: nullable(time()),
  created_at: time(),
  updated_at: time(),
} as const;

const flow = codec(flowFields);

/** A flow as it is stored, without its draft; `id` is its UUID. */
export type FlowRow = RowOf<typeof flow>;

export const flowBody = flow.body.meta({ id: 'Flow' });

/** A flow as the API shows it. */
export const showFlow = flow.show;

/** The open runs of each flow of a list are counted up to this many, which then means that many or more. */
export const openRunsCap = 1_001;

const countedFlow = codec({
  ...flowFields,
  open_run_count: asStored(
    z.int().meta({
      description: `How many runs are open in it, counted up to ${openRunsCap}, which means that many or more.`,
    }),
  ),
});

export const countedFlowBody = countedFlow.body.meta({ id: 'FlowWithRuns' });

/** A flow with the number of runs that are open in it. */
export type CountedFlowRow = RowOf<typeof countedFlow>;

export const showCountedFlow = countedFlow.show;

const issueBody = z
  .object({
    severity: z.enum(['error', 'warning']).meta({ description: 'Only errors keep a flow from being published.' }),
    code: z.string().meta({ example: 'unknown_field' }),
    block_id: z.string().nullable(),
    path: z.string().meta({ description: 'Dotted, from the definition.', example: 'blocks.0.save_to' }),
    message: z.string().meta({ description: 'Follows the path.' }),
    hint: z.string().nullable().meta({ example: 'Did you mean "size"?' }),
  })
  .meta({ id: 'FlowIssue' });

const issues = z
  .array(issueBody)
  .meta({ description: 'Everything that is wrong with the draft, errors first, or questionable.' });

export const flowWithIssues = flow.body.extend({ issues }).meta({ id: 'FlowWithIssues' });

export const draftBody = z
  .object({
    flow_id: z.string(),
    revision: z.int().meta({ description: 'In quotes it is the ETag: `"7"`.' }),
    definition: z.record(z.string(), z.unknown()),
    issues,
  })
  .meta({ id: 'FlowDraft' });

export const checkedDraft = z
  .object({ valid: z.boolean().meta({ description: 'Whether it can be published.' }), issues })
  .meta({ id: 'CheckedFlowDraft' });

/** What a version is for, in the words of who publishes it. */
const versionNote = z.string().trim().max(500);

export const publishing = z
  .strictObject({
    note: versionNote.optional().meta({ description: 'What the version is for; unused when none is made.' }),
  })
  .meta({ id: 'NewFlowVersion', example: { note: 'Asks for the size first' } })
  .optional();

const version = codec({
  flow_id: id('flow'),
  version: asStored(z.int()),
  is_current: asStored(z.boolean().meta({ description: 'Whether contacts that enter the flow take this version.' })),
  open_runs: asStored(z.boolean().meta({ description: 'Whether contacts are in this version.' })),
  published_by: nullable(id('user'), {
    description: 'The user who published it; null when an API key or the command line did, and before 0.4.',
  }),
  note: nullable(asStored(z.string()), { description: 'What it is for.' }),
  created_at: time(),
});

export type VersionRow = RowOf<typeof version>;

export const versionBody = version.body.meta({ id: 'FlowVersion' });

export const showVersion = version.show;

export const versionDetail = version.body
  .extend({ definition: z.record(z.string(), z.unknown()) })
  .meta({ id: 'FlowVersionDetail' });
