import { z } from 'zod';
import { newField } from '../custom-fields/schema.ts';
import { fileLimits } from './portable.ts';
import { draftDefinition, flowName, flowWithIssues } from './schema.ts';

const name = z.string().min(1).max(200);

/** A flow as a file: it has no ids and no secrets of where it comes from. */
export const flowFile = z
  .strictObject({
    parley_flow: z.literal(1).meta({ description: 'The form of this file.' }),
    name: flowName,
    definition: draftDefinition.meta({
      description: 'As a draft; `start_flow` has the name of its flow, `flow`, in place of `flow_id`.',
    }),
    needs: z
      .strictObject({
        fields: z.array(newField).max(500).meta({ description: 'An import makes those that are not there.' }),
        tags: z.array(name).max(5_000),
        credentials: z
          .array(z.strictObject({ name, type: z.string().max(20), hosts: z.array(z.string().max(255)).max(20) }))
          .max(200),
        flows: z.array(name).max(500),
      })
      .meta({ description: 'What it refers to.' }),
    left_out: z
      .array(z.string().max(fileLimits.path))
      .max(fileLimits.leftOut)
      .meta({ description: 'Paths of headers that look like secrets; their values are not in the file.' }),
  })
  .meta({ id: 'FlowFile' });

export type FlowFile = z.input<typeof flowFile>;

const missing = z.object({
  type: z.enum(['field', 'credential', 'flow', 'header']),
  name: z.string(),
  reason: z.enum(['not_there', 'several', 'other_type', 'left_out']),
});

export type Missing = z.infer<typeof missing>;

/** The answer of an import. */
export const importedFlow = z
  .object({
    flow: flowWithIssues,
    made: z
      .object({ fields: z.array(z.string()) })
      .meta({ description: 'What was not there, and is now: keys of custom fields.' }),
    missing: z
      .array(missing)
      .meta({ description: 'What has to be made or filled in by hand; `several` flows have the name.' }),
  })
  .meta({ id: 'ImportedFlow' });
