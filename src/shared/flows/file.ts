import { z } from 'zod';
import { newField } from '../custom-fields/schema.ts';
import { fileLimits } from './portable.ts';
import { draftDefinition, flowName, flowWithIssues } from './schema.ts';

const name = z.string().min(1).max(200);

/** What a file says of a credential. Agents, who may not list credentials, get its name alone. */
const neededCredential = z.strictObject({
  name,
  type: z.string().max(20).exactOptional(),
  hosts: z.array(z.string().max(255)).max(20).exactOptional(),
});

/** A flow as a file: it has no ids of where it comes from, and no secrets but those that are typed into bodies and texts. */
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
        credentials: z.array(neededCredential).max(200).meta({ description: 'Agents get their names alone.' }),
        flows: z.array(name).max(500),
      })
      .meta({ description: 'Resources that the flow refers to.' }),
    left_out: z.array(z.string().max(fileLimits.path)).max(fileLimits.leftOut).meta({
      description:
        'Paths of headers, parameters and fields of forms that look like secrets and are not in the file, and of urls that have `…` in the place of what may be one.',
    }),
  })
  .meta({ id: 'FlowFile' });

export type FlowFile = z.input<typeof flowFile>;

/** A file for who may not list credentials. */
export const withCredentialNames = ({ needs, ...file }: FlowFile): FlowFile => ({
  ...file,
  needs: { ...needs, credentials: needs.credentials.map(({ name }) => ({ name })) },
});

const missing = z.object({
  type: z.enum(['field', 'credential', 'flow', 'header', 'query', 'form', 'url']),
  name: z.string(),
  reason: z.enum(['not_there', 'several', 'other_type', 'left_out']),
});

export type Missing = z.infer<typeof missing>;

/** The answer of an import. */
export const importedFlow = z
  .object({
    flow: flowWithIssues,
    made: z.object({ fields: z.array(z.string()) }).meta({ description: 'Newly created: keys of custom fields.' }),
    missing: z
      .array(missing)
      .meta({ description: 'To create or fill in by hand. `several`: more than one flow has the name.' }),
  })
  .meta({ id: 'ImportedFlow' });
