let context: AudioContext | undefined;

/** When each tone begins, in seconds, and its pitch. */
const tones = [
  [0, 660],
  [0.14, 880],
] as const;
const toneSeconds = 0.28;

/**
 * Plays two short tones. A browser plays nothing on a page that nobody has clicked yet: the answer says whether it played.
 */
export const playSound = async (): Promise<boolean> => {
  if (typeof AudioContext === 'undefined') return false;
  context ??= new AudioContext();
  // A browser that waits for a click never answers.
  void context.resume();
  if (context.state !== 'running' && !navigator.userActivation.hasBeenActive) return false;
  await context.resume();
  const { currentTime, destination } = context;
  for (const [after, pitch] of tones) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    const at = currentTime + after;
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(0.15, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + toneSeconds);
    oscillator.connect(gain).connect(destination);
    oscillator.start(at);
    oscillator.stop(at + toneSeconds);
  }
  return true;
};
