import { suiteMode } from './suite-mode.ts';
import { faults, type Fault } from './faults.ts';

/** Whether a fault is shown in the mode that the suite runs in. */
export const isShown = (fault: Fault): boolean => {
  const modes: readonly string[] = faults[fault].modes;
  return modes.includes(suiteMode);
};
