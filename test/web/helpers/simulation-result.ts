import type { Simulation } from '../../../src/web/pages/flows/phone/transcript.ts';

/** What a simulation in which nothing happens comes to, but for what is given. */
export const aSimulationResult = (given: Partial<Simulation> = {}): Simulation => ({
  status: 'waiting',
  waiting: 'reply',
  block_id: 'b',
  wakes_at: null,
  reason: null,
  now: '2026-03-04T10:00:00.000Z',
  seed: 1,
  steps: [],
  messages: [],
  changes: [],
  fields: {},
  contact: {
    id: 'c',
    first_name: null,
    last_name: null,
    email: null,
    phone: null,
    language: null,
    time_zone: null,
  },
  tags: [],
  requests: [],
  started_flows: [],
  inputs: [],
  ...given,
});
