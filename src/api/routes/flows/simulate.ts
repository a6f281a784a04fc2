import { RequestError, invalid, notFound } from '../../../shared/errors.ts';
import type { BlockVersions } from '../../../shared/flows/definition/plan.ts';
import { isObject } from '../../../shared/flows/raw-blocks.ts';
import type { DraftDefinition } from '../../../shared/flows/schema.ts';
import { getDraft } from '../../../shared/flows/drafts.ts';
import { getVersion } from '../../../shared/flows/versions.ts';
import { parseId, showId } from '../../../shared/ids.ts';
import { mediaNoun } from '../../../shared/media/schema.ts';
import { newSimulation, simulationBody, type StorableSimulation } from '../../../shared/runs/simulator/input-schema.ts';
import { prepareSimulation } from '../../../shared/runs/simulator/prepare.ts';
import { readSubject } from '../../../shared/runs/simulator/read-subject.ts';
import { hideRequests, simulationResult, type SimulationResult } from '../../../shared/runs/simulator/schema.ts';
import { simulateReally } from '../../../shared/runs/simulator/simulate-really.ts';
import type { Simulation } from '../../../shared/runs/simulator/simulation.ts';
import { endpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../http.ts';
import type { Resource } from '../../resource.ts';
import { mayAs, requireRole } from '../../roles.ts';
import { checkNow } from './check-draft.ts';

/** The simulator: a contact's way through a flow, without a run. */
export const addSimulate = (flows: Resource, deps: ApiDeps): void =>
  endpoint(
    flows,
    {
      id: 'simulateFlow',
      method: 'post',
      path: '/flows/:id/simulate',
      summary: 'Simulate a flow',
      description:
        'Takes a contact through the draft or a version in memory, with the code of runs. Saves nothing, and calls no service unless `real` is set. docs/flows.md, Simulate.',
      role: 'agent',
      noun: 'flow',
      ...simulationBody,
      body: newSimulation,
      repairsTexts: true,
      answers: { 200: simulationResult },
      refusals: {
        403: '`real` and `definition` need the role editor.',
        422: 'The request is not valid, or the draft has errors: then `details` have every issue.',
      },
    },
    async ({ ctx, principal, id, body }) => {
      const { accountId } = principal;
      const { version, definition } = body;
      if (body.real || definition) requireRole('editor', principal);
      const walked = await readWalked(deps, { accountId, id }, { version, definition });
      const spend = async (): Promise<void> => ctx.state.spend?.(1);
      const result = await simulateFlow(deps, { accountId, id }, { ...walked, body, spend });
      return mayAs('editor', principal) ? result : hideRequests(result);
    },
  );

/** A flow of an account; UUIDs. */
export type FlowKey = { accountId: string; id: string };

/** What a simulation walks: a definition that is valid, and what it needs. */
export type Walked = { definition: DraftDefinition; blockVersions?: BlockVersions; uses: readonly string[] };

/** A version, or a definition in place of the stored draft. */
type ToWalk = { version?: number | undefined; definition?: DraftDefinition | undefined };

/** What contacts would walk: a version, or the draft. Throws 404, and 422 with every issue for a draft with errors. */
export const readWalked = async (deps: ApiDeps, key: FlowKey, { version, definition }: ToWalk): Promise<Walked> => {
  if (version !== undefined) return getVersion(deps.db, key, version);
  const { accountId, id } = key;
  const { draft, checked } = await checkNow(deps, {
    accountId,
    flowId: id,
    read: async (sql) => {
      const stored = await getDraft(sql, key);
      return definition ? { definition } : stored;
    },
  });
  const { uses, publishable, issues } = checked;
  if (uses && publishable) return { definition: draft.definition, uses };
  throw new RequestError('invalid_request', 'The draft has errors: details have every issue.', { details: issues });
};

type ToSimulate = Walked & {
  body: StorableSimulation & { real?: boolean; real_requests?: number | undefined };
  spend: () => Promise<void>;
};

/** Simulates what is valid. Throws 404 for a contact that is not the account's, 422 for what is no block of the definition. */
export const simulateFlow = async (
  deps: ApiDeps,
  { accountId, id: flowId }: FlowKey,
  { body, spend, ...walked }: ToSimulate,
): Promise<SimulationResult> => {
  requireBlocks(walked.definition, body);
  const { contact, ...prepared } = prepareSimulation(body, { findContact: readContactId });
  const { params, inputs, mocks } = prepared;
  const toRead = {
    ...walked,
    accountId,
    flowId,
    contact,
    values: [params, inputs, mocks],
    lastingLinkTo: deps.media.lastingLinkTo,
    baseUrl: deps.config.baseUrl,
  };
  const subject = await deps.reads(accountId, (sql) => readSubject(sql, toRead));
  requireFiles(inputs, subject);
  const simulation = { ...subject, ...prepared };
  const { db: sql, secrets, tokens, callEgress: egress, judgeResponse, simulate, log } = deps;
  if (body.real)
    return simulateReally(
      { sql, secrets, tokens, egress, judgeResponse, simulate, log },
      { accountId, simulation, spend, most: body.real_requests },
    );
  const outcome = await simulate(accountId, { ...simulation, real: null });
  if (outcome.type === 'ask') throw new TypeError('a simulation asks where it may not');
  return outcome.result;
};

const readContactId = (text: string): string => {
  const id = parseId('contact', text);
  if (id === undefined) throw notFound('contact');
  return id;
};

const requireFiles = (inputs: Simulation['inputs'], { files }: Pick<Simulation, 'files'>): void => {
  const known = new Set(files.map(({ file }) => showId(mediaNoun, file.id)));
  const problems = inputs.flatMap((input, at) =>
    (input.type === 'text' ? (input.attachments ?? []) : []).flatMap((one, index) =>
      'media_id' in one && !known.has(one.media_id)
        ? [
            {
              path: `inputs.${at}.attachments.${index}.media_id`,
              message: 'is no file of this account, or was removed',
            },
          ]
        : [],
    ),
  );
  if (problems.length > 0) throw invalid(problems);
};

const requireBlocks = ({ blocks }: DraftDefinition, { start, mocks }: StorableSimulation): void => {
  const all: readonly unknown[] = Array.isArray(blocks) ? blocks : [];
  const types = new Map(all.filter(isObject).map((block) => [block['id'], block['type']]));
  const problems = [
    ...(start === undefined || types.has(start) ? [] : [{ path: 'start', message: 'is no block of the flow' }]),
    ...Object.keys(mocks).flatMap((id) =>
      types.get(id) === 'external_request'
        ? []
        : [{ path: `mocks.${id}`, message: 'is no external_request of the flow' }],
    ),
  ];
  if (problems.length > 0) throw invalid(problems);
};
