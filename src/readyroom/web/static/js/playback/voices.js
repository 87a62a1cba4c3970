/** What is heard: sounds made of noise and tones when they are played, none twice quite alike. Loaded once sound is on. */

/** `drift`: how far its place moves to the right. @typedef {{at?: number, pan?: number, drift?: number, loud?: number, attack?: number}} Manner */

const MOST = 120; // sources at once, with those that have not begun
const TOGETHER = 10; // sounds at once; a bell is always heard
const ALIKE = 3; // times that a sound is heard at once, unless `LIMITS` has it
/** @type {Record<string, number>} */
const LIMITS = {
  ...{ engines: 2, land: 2, flak: 2, guns: 2, salvo: 2, dive: 2, fall: 2, torpedo: 2, depth: 2, fire: 2, bell: 2 },
  ...{ phone: 1, victory: 1, defeat: 1, boom: 4, tick: 4 },
};
const WIDTH = 0.75; // how far to a side sounds are at the edge of a board
const PASS = 0.5; // how far aircraft pass that only fly about in one place
const GOLDEN = 0.618; // by which the shade of a sound moves on, so that it soon has had all and is never near the last
const SHADES = 0.16; // by how much a sound is higher or lower at most than its middle shade
const ROOM = 0.16; // how much of each sound comes back from the room
const ECHO = 1.1; // seconds
const SILENT = 0.0001;
const MODES = [1, 2.76, 5.4]; // of a bar of wood
/** The partials of a bell: its pitches, how loud they are, and how many seconds they ring. */
const BELL = [
  [1, 1, 2.4],
  [2.01, 0.6, 1.8],
  [2.42, 0.35, 1.2],
  [3.03, 0.22, 0.8],
  [4.6, 0.1, 0.4],
];

/** Return a number between two. @param {number} low @param {number} high */
const between = (low, high) => low + Math.random() * (high - low);
/** Return about this number. @param {number} value @param {number} [by] the share by which it varies */
const about = (value, by = 0.08) => value * between(1 - by, 1 + by);

export class Voices {
  /** @type {GainNode} */
  #out;
  /** @type {AudioNode} */
  #mix;
  /** @type {AudioBuffer} */
  #white;
  #sources = 0;
  /** When each sound that is heard ends. @type {Map<string, number[]>} */
  #ends = new Map();
  /** When the last source of the sound that is made ends. */
  #last = 0;
  /** Delays are divided by this. */
  #pace = 1;
  /** Where the sound that is made comes from: −1, left, to 1, right. */
  #pan = 0;
  /** Where what moves comes from before that. */
  #from = 0;
  /** How high the sound that is made is. */
  #shade = 1;
  /** The shade of each sound when it was last heard, from 0 to 1. @type {Map<string, number>} */
  #shades = new Map();

  /** @param {BaseAudioContext} context */
  constructor(context) {
    this.context = context;
    this.#white = noiseOf(context, 2, () => 1);
    const [gentle, limit] = [context.createDynamicsCompressor(), context.createDynamicsCompressor()];
    set(gentle, { threshold: -24, knee: 18, ratio: 3, attack: 0.006, release: 0.22 });
    set(limit, { threshold: -5, knee: 0, ratio: 20, attack: 0.001, release: 0.1 });
    this.#mix = gentle;
    gentle.connect(limit).connect(context.destination);
    this.#out = this.#open(0);
  }

  /**
   * Open the way out: as it is, and a little of it as a room returns it.
   * @param {number} level
   */
  #open(level) {
    const { context } = this;
    const [out, room, wet] = [context.createGain(), context.createConvolver(), context.createGain()];
    room.buffer = noiseOf(context, ECHO, (share) => (1 - share) ** 3);
    wet.gain.value = ROOM;
    out.gain.value = level;
    out.connect(this.#mix);
    out.connect(room).connect(wet).connect(this.#mix);
    return out;
  }

  /** @param {number} volume 0 to 100 */
  setVolume(volume) {
    this.#out.gain.value = (volume / 100) ** 1.5;
  }

  /** Stop what sounds. */
  hush() {
    const old = this.#out;
    this.#out = this.#open(old.gain.value);
    old.gain.setTargetAtTime(0, this.context.currentTime, 0.02);
    setTimeout(() => old.disconnect(), 300);
    this.#sources = 0;
    this.#ends.clear();
  }

  /**
   * Play a sound, unless as many like it, or in all, are heard already.
   * @param {SoundName} name
   * @param {number[]} args
   * @param {{pan?: number, from?: number, pace?: number}} [options] where it happens, where what moves comes from, and
   *   what its delays are divided by
   */
  play(name, args, { pan = 0, from = pan, pace = 1 } = {}) {
    const now = this.context.currentTime;
    for (const [known, all] of this.#ends)
      this.#ends.set(
        known,
        all.filter((end) => end > now),
      );
    const ends = this.#ends.get(name) ?? [];
    if (ends.length >= (LIMITS[name] ?? ALIKE)) return;
    if (name !== "bell" && [...this.#ends.values()].flat().length >= TOGETHER) return;
    [this.#pan, this.#from, this.#pace, this.#last] = [pan * WIDTH, from * WIDTH, pace, now];
    const shade = ((this.#shades.get(name) ?? Math.random()) + GOLDEN) % 1;
    this.#shades.set(name, shade);
    this.#shade = 1 + SHADES * (2 * shade - 1);
    /** @type {(voices: Voices, ...args: number[]) => void} */ (SOUNDS[name])(this, ...args);
    this.#ends.set(name, [...ends, this.#last]);
  }

  /**
   * Send a source through a gain that rises quickly and fades, from its place.
   * @param {AudioScheduledSourceNode} source
   * @param {AudioNode} last
   * @param {number} start
   * @param {number} length
   * @param {Manner} manner
   */
  #send(source, last, start, length, { loud = 0.3, attack = 0.004, pan = 0, drift = 0 }) {
    const { context } = this;
    const [gain, place] = [context.createGain(), context.createStereoPanner()];
    gain.gain.setValueAtTime(SILENT, start);
    gain.gain.exponentialRampToValueAtTime(Math.max(2 * SILENT, loud), start + Math.min(attack, length / 2));
    gain.gain.exponentialRampToValueAtTime(SILENT, start + length);
    const at = (/** @type {number} */ side) => Math.max(-1, Math.min(1, this.#pan + side));
    place.pan.setValueAtTime(at(pan), start);
    if (drift) place.pan.linearRampToValueAtTime(at(pan + drift), start + length);
    last.connect(gain).connect(place).connect(this.#out);
    this.#sources += 1;
    this.#last = Math.max(this.#last, start + length);
    source.onended = () => {
      this.#sources = Math.max(0, this.#sources - 1);
      place.disconnect();
    };
    source.stop(start + length);
  }

  /** Return how far to the right what moves comes: from where it was, or across the place where it flies about. */
  way() {
    const way = this.#pan - this.#from;
    return Math.abs(way) > PASS / 2 ? way : this.#pan < 0 ? -PASS : PASS;
  }

  /** @param {number} at seconds from now, at normal speed */
  #time(at) {
    return this.#sources < MOST ? this.context.currentTime + at / this.#pace : null;
  }

  /**
   * Play filtered noise whose filter glides.
   * @param {BiquadFilterType} type
   * @param {[from: number, to: number]} hertz
   * @param {number} length
   * @param {Manner & {q?: number}} [manner]
   */
  noise(type, [from, to], length, { at = 0, q = 1, ...manner } = {}) {
    const start = this.#time(at);
    if (start === null) return;
    const source = this.context.createBufferSource();
    Object.assign(source, { buffer: this.#white, loop: true });
    source.playbackRate.value = about(1, 0.1);
    source.start(start, between(0, 2));
    const filter = this.context.createBiquadFilter();
    filter.type = type;
    filter.Q.value = q;
    glide(filter.frequency, from * this.#shade, to * this.#shade, start, length);
    this.#send(source, source.connect(filter), start, length, manner);
  }

  /**
   * Play a gliding tone, perhaps through a filter, and perhaps throbbing.
   * @param {OscillatorType} type
   * @param {[from: number, to: number]} hertz
   * @param {number} length
   * @param {Manner & {low?: number, throb?: number}} [manner] `low`: the filter, `throb`: times a second
   */
  tone(type, [from, to], length, { at = 0, low = 0, throb = 0, ...manner } = {}) {
    const start = this.#time(at);
    if (start === null) return;
    const { context } = this;
    const source = context.createOscillator();
    source.type = type;
    source.start(start);
    const shade = from === to ? 1 : this.#shade; // what is in tune stays so
    glide(source.frequency, from * shade, to * shade, start, length);
    /** @type {AudioNode} */
    let last = source;
    if (low) {
      const filter = context.createBiquadFilter();
      filter.frequency.value = low;
      last = last.connect(filter);
    }
    if (throb) {
      const [wave, depth, swell] = [context.createOscillator(), context.createGain(), context.createGain()];
      wave.frequency.value = throb;
      depth.gain.value = 0.4;
      swell.gain.value = 0.6;
      wave.connect(depth).connect(swell.gain);
      wave.start(start);
      wave.stop(start + length);
      last = last.connect(swell);
    }
    this.#send(source, last, start, length, manner);
  }
}

/**
 * Return noise of two channels, as loud as a function of its time says.
 * @param {BaseAudioContext} context
 * @param {number} seconds
 * @param {(share: number) => number} loudness
 */
function noiseOf(context, seconds, loudness) {
  const buffer = context.createBuffer(2, seconds * context.sampleRate, context.sampleRate);
  for (const channel of [0, 1]) {
    const data = buffer.getChannelData(channel);
    for (let at = 0; at < data.length; at += 1) data[at] = between(-1, 1) * loudness(at / data.length);
  }
  return buffer;
}

/**
 * @param {DynamicsCompressorNode} node
 * @param {Record<"threshold" | "knee" | "ratio" | "attack" | "release", number>} values
 */
function set(node, values) {
  for (const name of /** @type {(keyof values)[]} */ (Object.keys(values))) node[name].value = values[name];
}

/**
 * @param {AudioParam} param
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} length
 */
function glide(param, from, to, start, length) {
  const shift = from === to ? 1 : about(1, 0.05);
  param.setValueAtTime(from * shift, start);
  param.exponentialRampToValueAtTime(to * shift, start + length);
}

/**
 * Strike a bell.
 * @param {Voices} voices
 * @param {number} pitch
 * @param {Manner} manner
 */
function strike(voices, pitch, { at = 0, loud = 0.3 }) {
  for (const [ratio = 1, share = 1, ring = 1] of BELL)
    voices.tone("sine", [pitch * ratio, pitch * ratio * 0.998], ring, { at, loud: loud * share, attack: 0.003 });
  voices.noise("bandpass", [3200, 2400], 0.03, { at, loud: loud * 0.4, q: 2 });
}

/**
 * Knock on wood.
 * @param {Voices} voices
 * @param {number} pitch
 * @param {Manner} manner
 */
function knock(voices, pitch, { at = 0, loud = 0.3, pan = 0 }) {
  const shift = about(1, 0.05);
  MODES.forEach((mode, number) => {
    const [hertz, part] = [pitch * mode * shift, number + 1];
    voices.tone("sine", [hertz, hertz * 0.97], 0.16 / part, { at, pan, loud: loud / part ** 1.3, attack: 0.001 });
  });
  voices.noise("bandpass", [3000, 1800], 0.025, { at, pan, loud: loud * 0.7, attack: 0.001 });
}

/**
 * A shot or a burst: a crack, and what follows of it, of which the loudspeaker of a phone plays only the crack.
 * @param {Voices} voices
 * @param {{at: number, deep: number, length: number, loud: number, pan?: number, sharp?: number}} shot `deep`: hertz of
 *   its body, `sharp`: by how much its crack is higher
 */
function shot(voices, { at, deep, length, loud, pan = 0, sharp = 26 }) {
  voices.noise("lowpass", [deep * sharp, deep * 2], length, { at, pan, loud, attack: 0.002, q: 0.4 });
  voices.tone("sine", [deep * 1.3, deep * 0.5], length * 0.7, { at, pan, loud: loud * 0.65, attack: 0.002 });
}

/**
 * Play a note of a brass instrument.
 * @param {Voices} voices
 * @param {number} pitch
 * @param {number} length
 * @param {number} at
 * @param {number} loud
 */
function bugle(voices, pitch, length, at, loud) {
  voices.tone("sawtooth", [pitch, pitch], length, { at, loud, attack: 0.03, low: pitch * 3.2 });
  voices.tone("square", [pitch, pitch], length, { at, loud: loud * 0.3, attack: 0.05, low: pitch * 2 });
}

/** Each sound, by its name. Loudness is 0 to 1: what is less loud is also further away. */
const SOUNDS = {
  /** Dice that roll on wood. */
  dice(/** @type {Voices} */ voices, count = 4) {
    const knocks = Math.min(11, Math.round(3 + count / 3));
    for (let at = 0, number = 0; number < knocks; number += 1, at += between(0.028, 0.075))
      knock(voices, between(430, 760), { at, loud: 0.4 * (1 - (0.5 * number) / knocks), pan: between(-0.15, 0.15) });
  },
  /** Radial engines that pass from where they come to their place, with the noise of their propellers. */
  engines(/** @type {Voices} */ voices, seconds = 1) {
    const length = seconds + 0.5;
    const way = voices.way();
    for (const [pitch = 60, pan = 0] of [
      [about(58), -0.12],
      [about(66), 0.12],
    ]) {
      const manner = { loud: 0.26, attack: length * 0.45, low: 620, throb: about(13, 0.2), pan: pan - way, drift: way };
      voices.tone("sawtooth", [pitch * 1.05, pitch * 0.9], length, manner); // lower when they go away
    }
    voices.noise("bandpass", [460, 290], length, { loud: 0.45, attack: length * 0.45, q: 0.8, pan: -way, drift: way });
  },
  /** An aircraft that lands: its engine slows, its wheels touch the deck. */
  land(/** @type {Voices} */ voices) {
    voices.tone("sawtooth", [104, 44], 1, { loud: 0.34, attack: 0.2, low: 640, throb: 12 });
    voices.noise("bandpass", [2300, 1500], 0.14, { at: 0.72, loud: 0.6, q: 5 });
    voices.noise("lowpass", [500, 90], 0.3, { at: 0.82, loud: 0.6 });
    voices.tone("sine", [90, 48], 0.25, { at: 0.82, loud: 0.5 });
  },
  /** Machine guns, in bursts. */
  guns(/** @type {Voices} */ voices, bursts = 3) {
    for (let burst = 0, at = 0.15; burst < Math.min(5, bursts); burst += 1, at += between(0.07, 0.16)) {
      const [pan, deep, rounds] = [between(-0.3, 0.3), between(130, 190), Math.round(between(3, 5))];
      for (let round = 0; round < rounds; round += 1, at += about(0.062))
        shot(voices, { at, deep, length: 0.06, loud: 0.5, pan });
    }
  },
  /** Guns of a ship, one after the other; far ones rumble. */
  salvo(/** @type {Voices} */ voices, shots = 2, loud = 0.8) {
    for (let number = 0, at = 0.1; number < Math.min(4, shots); number += 1, at += between(0.11, 0.22))
      shot(voices, { at, deep: 48 + 60 * loud, length: 1.1 - 0.4 * loud, loud, pan: between(-0.2, 0.2) });
  },
  /** Bursts of anti-aircraft shells, near and far. */
  flak(/** @type {Voices} */ voices, shots = 9) {
    for (let number = 0, at = 0.1; number < Math.min(12, shots); number += 1, at += between(0.05, 0.14)) {
      const loud = between(0.18, 0.5);
      shot(voices, { at, deep: 60 + 80 * loud, length: between(0.2, 0.34), loud, pan: between(-0.5, 0.5), sharp: 10 });
    }
  },
  /** A torpedo: it falls into the water, and runs. */
  torpedo(/** @type {Voices} */ voices) {
    voices.noise("bandpass", [500, 1500], 0.25, { loud: 0.75, q: 0.7 });
    for (let at = 0.18; at < 0.9; at += 0.09)
      voices.noise("bandpass", [about(760, 0.2), about(980, 0.2)], 0.14, {
        at,
        loud: 0.7 + at * 0.3,
        attack: 0.05,
        q: 2,
      });
    voices.tone("triangle", [168, 236], 0.95, { at: 0.1, loud: 0.24, attack: 0.3, throb: 22 });
  },
  /** Bombs that whistle down, one after the other. */
  fall(/** @type {Voices} */ voices, bombs = 3) {
    for (let bomb = 0, at = 0; bomb < Math.min(4, bombs); bomb += 1, at += between(0.1, 0.17)) {
      const [pitch, pan] = [about(2100, 0.12), between(-0.25, 0.25)];
      voices.tone("sine", [pitch, pitch * 0.36], 0.85, { at, loud: 0.1 + 0.02 * bomb, attack: 0.25, pan });
      voices.noise("bandpass", [pitch * 1.1, pitch * 0.5], 0.85, { at, loud: 0.16, attack: 0.4, q: 5, pan });
    }
  },
  /** Depth charges: they splash, and burst under water, which boils up. */
  depth(/** @type {Voices} */ voices, charges = 3) {
    for (let charge = 0, at = 0.05; charge < Math.min(4, charges); charge += 1, at += between(0.3, 0.42)) {
      const pan = between(-0.3, 0.3);
      voices.noise("bandpass", [1300, 700], 0.09, { at, loud: 0.24, pan });
      voices.tone("sine", [118, 34], 0.75, { at: at + 0.22, loud: 0.4, attack: 0.02, pan });
      voices.noise("lowpass", [720, 130], 0.9, { at: at + 0.22, loud: 0.4, attack: 0.03, q: 3, pan });
      voices.noise("bandpass", [620, 1500], 0.7, { at: at + 0.4, loud: 0.34, attack: 0.3, q: 2, pan });
    }
  },
  /** Fire: it roars, and wood cracks. */
  fire(/** @type {Voices} */ voices, seconds = 1.5) {
    voices.noise("lowpass", [300, 480], seconds, { loud: 0.8, attack: seconds * 0.3, q: 2 });
    for (let at = 0.05; at < seconds - 0.1; at += between(0.03, 0.13)) {
      const pitch = between(1200, 4200);
      voices.noise("bandpass", [pitch, pitch * 0.7], between(0.012, 0.04), {
        ...{ at, loud: between(0.4, 1), attack: 0.001, q: 2, pan: between(-0.25, 0.25) },
      });
    }
  },
  /** A dive: the engine howls, and a bomb whistles down. */
  dive(/** @type {Voices} */ voices) {
    voices.tone("sawtooth", [92, 176], 1.1, { loud: 0.34, attack: 0.5, low: 900, throb: 17 });
    voices.tone("sine", [1350, 640], 0.9, { at: 0.25, loud: 0.1, attack: 0.3 });
  },
  /** An explosion, and pieces that fall. */
  boom(/** @type {Voices} */ voices, at = 0, loud = 0.6) {
    const deep = about(70 - 24 * loud, 0.15);
    shot(voices, { at, deep, length: 0.6 + 0.6 * loud, loud: Math.min(1, loud * 1.2) });
    voices.noise("bandpass", [2400, 900], 0.09, { at, loud: loud * loud * 0.6, attack: 0.001 });
    for (let piece = 0; piece < 6 * loud; piece += 1)
      voices.noise("bandpass", [about(1500, 0.5), 500], 0.05, {
        at: at + between(0.2, 0.8),
        loud: 0.1 * loud,
        pan: between(-0.4, 0.4),
      });
  },
  /** A column of water that falls back. */
  splash(/** @type {Voices} */ voices, at = 0) {
    voices.noise("bandpass", [420, 1500], 0.4, { at, loud: 0.5, attack: 0.05, q: 0.6 });
    voices.noise("bandpass", [2100, 3000], 0.9, { at: at + 0.25, loud: 0.18, attack: 0.15, q: 0.6 });
    voices.tone("sine", [120, 60], 0.2, { at, loud: 0.3 });
  },
  /** A ship that goes down: her hull groans, the water closes over her, air comes up. */
  sink(/** @type {Voices} */ voices) {
    voices.tone("sawtooth", [96, 41], 2, { loud: 0.4, attack: 0.5, low: 320, throb: 5 });
    voices.tone("triangle", [213, 88], 1.5, { at: 0.2, loud: 0.16, attack: 0.4, throb: 7 });
    voices.noise("lowpass", [300, 900], 2.2, { at: 0.3, loud: 0.4, attack: 1.1 });
    for (let at = 1.3; at < 2.5; at += between(0.07, 0.16)) {
      const pitch = between(210, 420);
      voices.tone("sine", [pitch, pitch * 1.7], 0.09, { at, loud: 0.2, pan: between(-0.3, 0.3) });
    }
  },
  /** A dull blow: something falls. */
  thud(/** @type {Voices} */ voices, loud = 0.45) {
    voices.tone("sine", [110, 46], 0.3, { loud: loud * 1.2 });
    voices.noise("lowpass", [1500, 200], 0.28, { loud: loud * 1.6 });
  },
  /** A peg on a track of damage, lower at each step. */
  tick(/** @type {Voices} */ voices, step = 0) {
    knock(voices, Math.max(160, 520 - step * 32), { loud: 0.24 });
  },
  /** A blip on a screen. */
  blip(/** @type {Voices} */ voices) {
    voices.tone("sine", [880, 874], 0.18, { loud: 0.25, attack: 0.02 });
    voices.tone("sine", [880, 874], 0.22, { at: 0.24, loud: 0.08, attack: 0.02 });
  },
  /** Sonar: a ping, and what comes back of it. */
  ping(/** @type {Voices} */ voices) {
    for (const [at, loud, pan] of [
      [0, 0.3, 0],
      [0.62, 0.08, 0.25],
      [0.95, 0.04, -0.25],
    ])
      voices.tone("sine", [1480, 1440], 0.6, { at, loud, attack: 0.012, pan });
  },
  /** A field telephone: its clapper strikes two bells in turn. */
  phone(/** @type {Voices} */ voices) {
    for (const ring of [0, 0.75])
      for (let stroke = 0; stroke < 11; stroke += 1) {
        const [at, pitch] = [ring + stroke * 0.045, stroke % 2 ? 1660 : 1930];
        voices.tone("triangle", [pitch, pitch], 0.2, { at, loud: 0.13, attack: 0.002 });
        voices.tone("sine", [pitch * 2.62, pitch * 2.62], 0.1, { at, loud: 0.05, attack: 0.002 });
      }
  },
  /** Morse signs on a radio. */
  morse(/** @type {Voices} */ voices) {
    for (let at = 0, sign = 0; sign < 9; sign += 1) {
      const length = Math.random() < 0.5 ? 0.055 : 0.165;
      voices.tone("square", [720, 720], length, { at, loud: 0.14, attack: 0.006, low: 1500 });
      at += length + (sign % 3 === 2 ? 0.16 : 0.06);
    }
    voices.noise("bandpass", [1900, 2300], 1.7, { loud: 0.06, attack: 0.2, q: 0.7 });
  },
  /** An alarm: a klaxon, twice. */
  alarm(/** @type {Voices} */ voices) {
    for (const at of [0, 0.42]) {
      voices.tone("sawtooth", [262, 311], 0.36, { at, loud: 0.22, attack: 0.06, low: 900 });
      voices.tone("square", [131, 156], 0.36, { at, loud: 0.12, attack: 0.06, low: 700 });
    }
  },
  /** Water or steam that rushes. */
  rush(/** @type {Voices} */ voices) {
    voices.noise("lowpass", [380, 1300], 1.4, { loud: 0.6, attack: 0.4 });
    voices.noise("bandpass", [2400, 1400], 1.4, { loud: 0.24, attack: 0.5 });
  },
  /** A card or a sheet that is turned over. */
  card(/** @type {Voices} */ voices) {
    voices.noise("bandpass", [1900, 4200], 0.16, { loud: 0.5, attack: 0.08, q: 0.8 });
    voices.noise("bandpass", [2600, 1200], 0.05, { at: 0.15, loud: 0.5, attack: 0.001 });
    voices.tone("sine", [170, 110], 0.07, { at: 0.15, loud: 0.3 });
  },
  /** The seal of an envelope: paper, and a stamp in wax. */
  seal(/** @type {Voices} */ voices) {
    for (const at of [0, 0.09, 0.16]) voices.noise("highpass", [2600, 3600], 0.07, { at, loud: 0.14, attack: 0.03 });
    voices.tone("sine", [150, 62], 0.22, { at: 0.3, loud: 0.7 });
    voices.noise("lowpass", [1500, 260], 0.14, { at: 0.3, loud: 0.7 });
  },
  /** A ship's bell. */
  bell(/** @type {Voices} */ voices, strokes = 1) {
    for (let stroke = 0; stroke < strokes; stroke += 1) strike(voices, 784, { at: stroke * 0.34, loud: 0.26 });
  },
  /** A bugle call that rises: the match is won. */
  victory(/** @type {Voices} */ voices) {
    for (const [at = 0, pitch = 440, length = 1] of [
      [0, 392, 0.22],
      [0.2, 523.3, 0.22],
      [0.4, 659.3, 0.22],
      [0.6, 784, 0.5],
      [1.05, 659.3, 0.22],
      [1.25, 784, 1.3],
    ])
      bugle(voices, pitch, length, at, 0.2);
    for (const pitch of [523.3, 659.3]) bugle(voices, pitch, 1.3, 1.25, 0.11);
  },
  /** Slow notes that fall over a drum: the match is lost. */
  defeat(/** @type {Voices} */ voices) {
    for (const [at = 0, pitch = 440, length = 1] of [
      [0, 311.1, 0.6],
      [0.55, 261.6, 0.6],
      [1.1, 207.7, 1.6],
    ]) {
      bugle(voices, pitch, length, at, 0.24);
      voices.noise("lowpass", [300, 90], 0.3, { at, loud: 0.5 });
      voices.tone("sine", [82, 58], 0.35, { at, loud: 0.4 });
    }
  },
};

/** @typedef {keyof typeof SOUNDS} SoundName */
