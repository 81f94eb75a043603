let context: AudioContext | undefined;

/** A sound for a label that is not simply added: low for one that is not chosen, short for one to be looked at. */
export function beep(kind: 'bad' | 'care'): void {
  try {
    context ??= new AudioContext();
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = kind === 'bad' ? 220 : 660;
    volume.gain.value = 0.2;
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + (kind === 'bad' ? 0.4 : 0.15));
  } catch {
    // Without sound the colour and the words say it.
  }
}
