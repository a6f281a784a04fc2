import type { EventName } from '../../facts/names.ts';
import type { Json } from '../../custom-fields/values.ts';
import { findIn } from '../../flows/templating/scope.ts';
import type { Trigger } from '../../flows/definition/triggers.ts';
import { foldTag } from '../../tags/fold.ts';
import { isOpen, startRun, type SimulatedRun, type World } from './world.ts';

/** Something that has happened to the contact; `data` as docs/events.md has it. `by`: the run that has caused it. */
type SimulatedEvent = { name: EventName; data: { [key: string]: Json }; by?: SimulatedRun | undefined };

/**
 * Tells an event as the reactions to it do: the open runs of a flow that waits for such events somewhere get it, and a trigger of the flow starts a
 * run. Answers the first run that it came to.
 */
export const tellEvent = (world: World, { name, data, by }: SimulatedEvent): SimulatedRun | undefined => {
  const listening = world.plan.listens.includes(name) ? world.runs.filter((run) => run !== by && isOpen(run)) : [];
  for (const run of listening) {
    run.inputs = [...run.inputs, { type: 'event', seq: (world.seq += 1), name, data, at: world.now }];
    run.isWoken = true;
  }
  const fires = world.definition.triggers.some((trigger) => isMeant(trigger, name, data));
  const depth = (by?.depth ?? 0) + 1;
  const started = fires ? startRun(world, { params: {}, event: { name, ...data }, depth: by ? depth : 0 }) : undefined;
  return listening[0] ?? started;
};

const isMeant = (trigger: Trigger, name: EventName, data: { [key: string]: Json }): boolean => {
  if (trigger.type !== name) return false;
  const textAt = (...path: string[]): string => {
    const found = findIn(data, path);
    return typeof found === 'string' ? found : '';
  };
  if (trigger.type === 'tag_applied') return foldTag(trigger.tag) === foldTag(textAt('tag', 'name'));
  if (trigger.type === 'order_status_changed')
    return trigger.status === undefined || trigger.status === textAt('order', 'status');
  return true;
};
