import { maxFieldBytes } from '../../contacts/write-fields.ts';
import { maxCustomFields } from '../../contacts/schema.ts';
import type { ContactView } from '../../flows/blocks/block.ts';
import { foldTag } from '../../tags/fold.ts';
import { failHere, interpret } from '../engine/interpret.ts';
import type { PlacedEffect } from '../effects/effect.ts';
import type { Pass } from '../engine/pass.ts';
import type { RunState } from '../engine/run-state.ts';
import type { RunSnapshot } from '../engine/snapshot.ts';
import { withoutTag } from '../effects/remove-tag.ts';
import { unreachable } from '../../unreachable.ts';
import { endHandover, requestHandover, wakeOthers } from './handovers.ts';
import { moveForeground } from './foreground.ts';
import { tellEvent } from './events.ts';
import type { BlockChange } from './simulation.ts';
import { requireSize } from './stop.ts';
import { nextOrder, type SimulatedRun, type World } from './world.ts';

/** Makes a pass over a run as the engine does (`engine/make-pass.ts`), and puts into the world what would be written. */
export const makePass = (world: World, run: SimulatedRun, snapshot: RunSnapshot): void => {
  run.isWoken = false;
  const hasAnswer = snapshot.inputs.some(({ type }) => type === 'request_ended');
  const passes = [() => interpret(snapshot), ...(hasAnswer ? [() => interpret(snapshot, { steps: 1 })] : [])];
  for (const decide of passes) {
    const pass = decide();
    if (mayHave(world.contact, pass)) return keep(world, run, pass);
  }
  keep(world, run, failHere(snapshot, 'too_many_fields'));
};

/** Has the run fail where it is. */
export const failRun = (world: World, run: SimulatedRun, snapshot: RunSnapshot, reason: string): void =>
  keep(world, run, failHere(snapshot, reason));

/** As `writeFields` bounds a contact. */
const mayHave = (before: ContactView, { effects, context }: Pass): boolean => {
  if (!effects.some(({ type }) => type === 'set_field')) return true;
  const { fields } = context.contact;
  const count = (of: ContactView['fields']): number => Object.keys(of).length;
  const bytes = (of: ContactView['fields']): number => Buffer.byteLength(JSON.stringify(of));
  if (count(fields) > Math.max(maxCustomFields, count(before.fields))) return false;
  return bytes(fields) <= Math.max(maxFieldBytes, bytes(before.fields));
};

/** In the order of `storePass`: the facts of the conversation come last. */
const keep = (world: World, run: SimulatedRun, pass: Pass): void => {
  const { snapshot, context, next } = pass;
  const { contact: before } = world;
  const lastSeq = keepSteps(world, run, pass);
  const handovers = changeHandover(world, run, pass);
  const { waiting, step } = run.state;
  if (pass.run.waiting !== waiting || pass.run.step !== step) run.waitNumber = world.waits += 1;
  run.state = withSeq(pass.run, lastSeq);
  run.context = context.run;
  run.inputs = pass.inputs.filter(({ type }) => type !== 'request_ended');
  run.next = next;
  world.contact = { ...context.contact, tags: before.tags };
  moveForeground(world, { from: snapshot.foreground, to: pass.foreground });
  changeTags(world, run, pass);
  for (const tell of handovers) tell();
  if (context.contact.timeZone !== before.timeZone) wakeOthers(world, run);
  if (next.type === 'more') run.isWoken = true;
};

/** The new steps, each with what it did, in the order of both. Answers the number of the last message. */
const keepSteps = (world: World, run: SimulatedRun, { steps, effects }: Pass): number | undefined => {
  const inOrder = steps.toSorted((a, b) => a.number - b.number);
  const enterUpTo = (number: number): void => {
    while (inOrder[0] && inOrder[0].number <= number) {
      const step = inOrder.shift();
      if (!step) return;
      if (!run.steps.has(step.number)) world.entered.push({ run, step: step.number, order: nextOrder(world) });
      run.steps.set(step.number, step);
    }
  };
  let lastSeq: number | undefined;
  for (const effect of effects) {
    enterUpTo(effect.step);
    lastSeq = keepEffect(world, run, effect) ?? lastSeq;
  }
  enterUpTo(Infinity);
  return lastSeq;
};

/** Keeps what an effect shows to whoever simulates. Answers the number of the last message that it sends. */
const keepEffect = (world: World, run: SimulatedRun, effect: PlacedEffect): number | undefined => {
  const place = { run: run.number, blockId: run.steps.get(effect.step)?.blockId ?? '' };
  const change = (changed: BlockChange): void => {
    world.changes.push({ ...changed, ...place, order: nextOrder(world) });
  };
  let lastSeq: number | undefined;
  switch (effect.type) {
    case 'send':
      for (const message of effect.messages) {
        lastSeq = world.seq += 1;
        world.messages.push({ ...message, ...place, order: nextOrder(world), sentAt: world.now });
        requireSize(world);
      }
      return lastSeq;
    case 'start_flow': {
      const { flowId, mode, params } = effect;
      world.startedFlows.push({ ...place, order: nextOrder(world), flowId, mode, params });
      requireSize(world);
      return undefined;
    }
    case 'set_field':
      change({ type: 'field', name: effect.key, value: effect.value });
      return undefined;
    case 'set_reply':
      change({ type: 'reply', name: 'reply.text', value: effect.text });
      return undefined;
    case 'add_tag':
    case 'remove_tag':
      change({ type: 'tag', name: nameOfTag(world, effect.name), value: effect.type === 'add_tag' });
      return undefined;
    case 'close_conversation':
    case 'request_handover':
    case 'expire_handover':
      return undefined;
    default:
      return unreachable(effect);
  }
};

const withSeq = (run: RunState, lastSeq: number | undefined): RunState => {
  const known = (seq: number): number => (seq === Infinity ? (lastSeq ?? 0) : seq);
  return { ...run, lastSeq: known(run.lastSeq), afterSeq: known(run.afterSeq) };
};

/** Answers what the other runs are to be told, after everything else. */
const changeHandover = (world: World, run: SimulatedRun, { effects }: Pass): (() => void)[] =>
  effects.flatMap(({ type }): (() => void)[] => {
    if (type === 'close_conversation') return endHandover(world, { status: 'resolved', by: run });
    if (type === 'expire_handover' && world.handover?.byRunId === run.state.id)
      return endHandover(world, { status: 'expired', by: run });
    return type === 'request_handover' ? requestHandover(world, { by: run }) : [];
  });

/** Tags as the account writes them. One that the contact did not have is an event. */
const changeTags = (world: World, run: SimulatedRun, { effects }: Pass): void => {
  for (const effect of effects) {
    if (effect.type === 'remove_tag') setTags(world, withoutTag(world.contact.tags, effect.name));
    if (effect.type === 'add_tag' && addTag(world, effect.name))
      tellEvent(world, { name: 'tag_applied', data: { tag: { name: nameOfTag(world, effect.name) } }, by: run });
  }
};

/** Puts a tag on the contact. Answers whether it is new there. */
export const addTag = (world: World, given: string): boolean => {
  const name = nameOfTag(world, given);
  if (world.contact.tags.some((tag) => foldTag(tag) === foldTag(name))) return false;
  setTags(world, [...world.contact.tags, name]);
  return true;
};

/** A tag that is not there yet is made, as it is written first. */
export const nameOfTag = ({ tagNames }: World, given: string): string => {
  const folded = foldTag(given);
  const name = tagNames.get(folded) ?? given;
  tagNames.set(folded, name);
  return name;
};

const setTags = (world: World, tags: readonly string[]): void => {
  world.contact = { ...world.contact, tags };
};
