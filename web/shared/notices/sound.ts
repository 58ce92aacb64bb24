/** Soft tones, which are made here: no file has to be fetched, and no other program sounds like them. */
interface Tone {
  type: OscillatorType;
  /** In hertz. */
  frequency: number;
  startsAtSeconds: number;
  seconds: number;
  volume: number;
}

/** By their names in the API: two rising tones, or one high stroke of a bell that fades slowly. */
const sounds: Readonly<Record<"zulip" | "ding", readonly Tone[]>> = {
  zulip: [
    { type: "sine", frequency: 660, startsAtSeconds: 0, seconds: 0.18, volume: 0.12 },
    { type: "sine", frequency: 880, startsAtSeconds: 0.09, seconds: 0.18, volume: 0.12 },
  ],
  ding: [
    { type: "triangle", frequency: 1568, startsAtSeconds: 0, seconds: 0.9, volume: 0.1 },
    { type: "sine", frequency: 4323, startsAtSeconds: 0, seconds: 0.4, volume: 0.03 },
  ],
};
const ATTACK_SECONDS = 0.01;

let context: AudioContext | undefined;

/** Browsers allow it only after somebody has used the page. Then it is silent. */
export function playSound(name: keyof typeof sounds): void {
  context ??= new AudioContext();
  for (const tone of sounds[name]) playTone(context, tone);
}

function playTone(audio: AudioContext, { type, frequency, startsAtSeconds, seconds, volume }: Tone): void {
  const oscillator = new OscillatorNode(audio, { type, frequency });
  const gain = new GainNode(audio, { gain: 0 });
  const startsAt = audio.currentTime + startsAtSeconds;
  gain.gain.setValueAtTime(0, startsAt);
  gain.gain.linearRampToValueAtTime(volume, startsAt + ATTACK_SECONDS);
  gain.gain.exponentialRampToValueAtTime(0.001, startsAt + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(startsAt);
  oscillator.stop(startsAt + seconds);
}
