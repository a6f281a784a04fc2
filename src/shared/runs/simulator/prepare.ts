import { randomInt } from 'node:crypto';
import { instantIn } from '../../times/storable-time.ts';
import { readInput, type StorableSimulation } from './input-schema.ts';
import type { ScratchContact } from './read-subject.ts';
import type { Simulation, SimulationSubject } from './simulation.ts';
import { seededUuid } from './world.ts';

/** What a request to simulate says, beside what is read of the account. `contact` is a UUID, or a contact who does not exist. */
export type PreparedSimulation = Omit<Simulation, keyof SimulationSubject | 'real'> & {
  contact: string | ScratchContact;
};

/** Reads a request to simulate; `findContact` answers the UUID behind an id. */
export const prepareSimulation = (
  { start, contact, params, now, seed: given, inputs, mocks }: StorableSimulation,
  { findContact }: { findContact: (id: string) => string },
): PreparedSimulation => {
  const seed = String(given ?? randomInt(1_000_000_000));
  return {
    contact: typeof contact === 'string' ? findContact(contact) : scratchOf(contact ?? {}, seed),
    now: (now === undefined ? undefined : instantIn(now, 'UTC')?.getTime()) ?? Date.now(),
    seed,
    start: start ?? null,
    params,
    inputs: inputs.map(readInput),
    mocks,
  };
};

type GivenContact = Exclude<NonNullable<StorableSimulation['contact']>, string>;

const scratchOf = (
  { external_id: externalId, channel, custom_fields: customFields, tags, ...profile }: Partial<GivenContact>,
  seed: string,
): ScratchContact => ({
  id: seededUuid(seed, 'contact'),
  externalId: externalId ?? null,
  channel: channel ?? 'api',
  profile: Object.fromEntries(Object.entries(profile).map(([key, value]) => [key, value ?? null])),
  customFields: customFields ?? {},
  tags: tags ?? [],
});
