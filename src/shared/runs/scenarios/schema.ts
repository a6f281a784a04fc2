import { z } from 'zod';
import { anyJson, asStored, codec, id, time, type RowOf } from '../../codec.ts';
import { smallRecord } from '../../custom-fields/json.ts';
import { messageLimits } from '../../flows/blocks/message-limits.ts';
import { lineUpTo } from '../../label.ts';
import { mediaTypes } from '../../media/limits.ts';
import { tagName } from '../../tags/schema.ts';
import { runStatuses } from '../engine/run-state.ts';
import { editedDefinition, storableSimulation, type StorableSimulation } from '../simulator/input-schema.ts';
import { simulationResult } from '../simulator/schema.ts';

/** What an id of a scenario names. */
export const scenarioNoun = { name: 'scenario', prefix: 'scn' } as const;

/** The most scenarios of a flow, and differences that are told of one. */
export const scenarioLimits = { scenarios: 50, differences: 50 } as const;

/** The largest body of a scenario, in bytes, and the most values in it: a flow has many. */
export const scenarioRequest = { bodyLimit: 64 * 1024, maxValues: 5_000 } as const;

/** What a scenario simulates: always the draft, or the version that is asked for, and nobody is called. */
const scenarioSimulation = storableSimulation.meta({
  id: 'SimulationOfScenario',
  example: { inputs: [{ text: 'M' }], mocks: { stock: { status: 200, body: { left: 3 } } }, seed: 1 },
});

const expectedText = z.string().max(10_000);

/** A message of which only what is given is compared. */
const expectedMessage = z.strictObject({
  text: expectedText.optional(),
  image_url: z.string().max(2_048).nullable().optional().meta({ description: 'Null for a message without one.' }),
  attachments: z
    .array(z.strictObject({ type: z.enum(mediaTypes), name: z.string().max(255).optional() }))
    .max(messageLimits.attachments)
    .optional()
    .meta({ description: 'All files of the message, in order; none for `[]`. A name is compared where it is given.' }),
});

const expected = z
  .strictObject({
    status: z.enum(runStatuses).optional(),
    messages: z
      .array(
        z.union([expectedText, expectedMessage], { error: 'must be a text, or {"text", "image_url", "attachments"}' }),
      )
      .max(200)
      .optional()
      .meta({ description: 'All messages, in order: each by its text, or by what is given of it.' }),
    fields: smallRecord('Custom fields by key; null for one that is empty. Others may be there.').optional(),
    tags: z.array(tagName).max(100).optional().meta({ description: 'All tags, in any order and letter case.' }),
  })
  .meta({ id: 'ScenarioExpectations', example: { status: 'completed', messages: ['Which size?', '3 left'] } });

export type Expected = z.output<typeof expected>;

const name = lineUpTo(100).meta({ description: 'Unique in the flow, in any letter case.' });

export const newScenario = z.strictObject({ name, simulation: scenarioSimulation, expected }).meta({
  id: 'NewScenario',
  example: {
    name: 'In stock',
    simulation: { inputs: [{ text: 'M' }], mocks: { stock: { status: 200, body: { left: 3 } } } },
    expected: { status: 'completed', fields: { size: 'M' } },
  },
});

export type NewScenario = z.output<typeof newScenario>;

const scenario = codec({
  id: id(scenarioNoun),
  flow_id: id('flow'),
  name: asStored(z.string()),
  simulation: asStored(z.record(z.string(), anyJson).meta({ description: 'Without `mocks` for agents.' })),
  expected: asStored(z.record(z.string(), anyJson)),
  created_at: time(),
  updated_at: time(),
});

/** A scenario as it is stored; ids are UUIDs. */
export type ScenarioRow = RowOf<typeof scenario>;

export const scenarioBody = scenario.body.meta({ id: 'Scenario' });

export const showScenario = scenario.show;

/** The same as an agent may see it: mocks are copies of what `showRequestToAgent` hides. */
export const showScenarioToAgent = (row: ScenarioRow): z.output<typeof scenarioBody> => {
  const { mocks: _mocks, ...simulation } = row.simulation;
  return showScenario({ ...row, simulation });
};

const storedSimulation = z.custom<StorableSimulation>();
const storedExpected = z.custom<Expected>();

/** Reads what was checked before it was stored. Checked again, it might be too large, because jsonb writes the digits of exact numbers out in full. */
export const readScenario = ({ simulation, expected: wanted }: ScenarioRow) => ({
  simulation: storedSimulation.parse(simulation),
  expected: storedExpected.parse(wanted),
});

export const scenarioToRun = z
  .strictObject({
    version: z.int().min(1).max(999_999_999).optional().meta({ description: 'The draft when not given.' }),
    definition: editedDefinition.optional(),
  })
  .refine(({ version, definition }) => version === undefined || definition === undefined, {
    path: ['definition'],
    error: 'cannot be given with `version`',
  })
  .optional();

const difference = z.object({
  path: z.string().meta({ example: 'messages.1' }),
  expected: anyJson,
  actual: anyJson,
});

export type Difference = z.output<typeof difference>;

export const scenarioResult = z
  .object({
    passed: z.boolean().nullable().meta({
      description:
        'Null where nothing was compared, because the simulation took too much time: its `reason` is `time_limit`.',
    }),
    differences: z
      .array(difference)
      .meta({ description: '`simulation`: it could not be simulated, and `actual` says why.' }),
    simulation: simulationResult.nullable(),
  })
  .meta({ id: 'ScenarioResult' });

export type ScenarioResult = z.output<typeof scenarioResult>;
