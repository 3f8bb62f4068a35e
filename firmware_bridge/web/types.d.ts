/**
 * What passes between the server and browsers; docs/page.md tells when.
 * Written by `make types` from the structs of the server: what is changed here is lost. Browsers never load it.
 */

/**
 * The words of the page, sent after each greeting.
 *
 * `language` is a key of `languages`, which has the name of each. `text`: the sentences by the ends of their message
 * ids. `may`: this browser may change things; `token`: only a token is what it lacks for that. `invite`: the address
 * for the phones of players, and `code`: the same as a QR code, an ``<svg>``; both empty for those who may not invite.
 * `past`: this browser may look at past games; `badge`: what it shows for these, as a cookie, empty for none.
 */
export interface PageForm {
  kind: "page";
  language: string;
  languages: Record<string, string>;
  text: Record<string, string>;
  may: boolean;
  token: boolean;
  invite: string;
  code: string;
  past: boolean;
  badge: string;
}

/**
 * What can be chosen for a game: the usual value first, each with its title, and the one that is chosen now.
 */
export interface OptionForm {
  title: string;
  values: (number | string)[];
  titles: string[];
  chosen: number | string;
}

/**
 * A game that could be played, and a sentence `about` it. `senses`: the least and the most that sensors can tell.
 *
 * `engine`: whether there is an opponent for it. `lessons`: how many it has, and `solved` the numbers of those
 * that were solved at this table, from 1 on; `puzzles` and `puzzled` the same of puzzles. `aim`: how it is won, empty
 * where the game has no words for it.
 */
export interface GameForm {
  name: string;
  title: string;
  about: string;
  options: Record<string, OptionForm>;
  senses: ["colour" | "count" | "presence", "colour" | "count" | "presence"];
  engine: boolean;
  lessons: number;
  solved: number[];
  puzzles: number;
  puzzled: number[];
  aim: string;
}

/**
 * The strength (0..1) at time t is ``levels[floor(t mod period / period * len(levels))]``; `period` in seconds.
 */
export interface RhythmForm {
  period: number;
  levels: number[];
}

/**
 * All that is needed to light a cue as the table does; `docs/page.md` has the formula.
 *
 * `colours` (0-255 a channel) and `rhythms` by kinds of cues, `spoken`: the kinds that have the colour of a stone.
 * `brightness` 0-255; `supply`, `controller`, and `dark` and `white` of each of the `pixels`, in mA.
 */
export interface LightsForm {
  colours: Record<string, [number, number, number]>;
  rhythms: Record<string, RhythmForm>;
  spoken: string[];
  brightness: number;
  supply: number;
  pixels: number;
  controller: number;
  dark: number;
  white: number;
}

/**
 * The geometry of a board in units of its drawing, y down.
 *
 * `box`: x, y, width and height of all of it. `pitch`: how far neighbours are apart. `at`: the middle of each site, in
 * the order of the game's sites. `stores`: a box for each player, None where there are none. `ground`: an ``<svg>``.
 * `points`: whether pieces stand on points of lines, not in squares.
 */
export interface BoardForm {
  box: [number, number, number, number];
  pitch: number;
  at: Record<string, [number, number]>;
  stores: [[number, number, number, number], [number, number, number, number]] | null;
  ground: string;
  points: boolean;
}

/**
 * How far the puzzle in hand is: turns `found` of `steps`; whether another one was made; `helped`: 1 for a hint, 2
 * for the whole turn. `own`: it is from somebody's own game. `position`: the text of the one that it begins with.
 */
export interface PuzzleForm {
  found: number;
  steps: number;
  missed: boolean;
  helped: number;
  own: boolean;
  position: string;
}

/**
 * The lesson in hand: its number, from 1 on, of how many; what is asked, and what is learnt once it is `solved`.
 *
 * `puzzle`: more of it, where it is no lesson but a puzzle.
 */
export interface LessonForm {
  number: number;
  count: number;
  solved: boolean;
  task: string;
  learnt: string;
  puzzle: PuzzleForm | null;
}

/**
 * What is played, what else could be, and how the board and its lights look.
 *
 * `game` is empty while it is being chosen by light; then all from `title` on is empty too, and `board` is None.
 * `hands`: pieces are moved on the page. `record`: there is one. `levels`: at which level (1-8) the engine plays
 * either side, 0 for a person. `pushes`: rows of pieces are pushed. `players` are in the reader's language, `names` in
 * English. `rules`: a paragraph each; `help`: how its turns are made on the page, where the game has words for it.
 * `figures`: an ``<svg>`` each, with its caption in `captions`. `left_out`: for each game that is installed and cannot
 * be played a sentence why. `carried`: a hand that is nobody's carries out the engine's turns. `kinds`: the marks of
 * pieces that are more than their colour, each with the kind's name. `lesson`: the one in hand, None in a game.
 * `offered`: nobody has chosen this game yet. `clock`: how time is given, empty without clocks. `people`: what
 * the people are called, empty where nobody has said so. `left`: there is a finished game to go back to.
 * `linked`: it is played with another table, which is asked for another game.
 */
export interface TableForm {
  kind: "table";
  game: string;
  options: Record<string, number | string>;
  sense: string;
  hands: boolean;
  mode: "coach" | "quiet" | "referee";
  record: boolean;
  games: GameForm[];
  levels: [number, number];
  hints: "always" | "button" | "off";
  lights: LightsForm;
  title: string;
  pieces: "seeds" | "stones";
  pushes: boolean;
  players: string[];
  names: string[];
  rules: string[];
  help: string;
  figures: string[];
  captions: string[];
  board: BoardForm | null;
  left_out: string[];
  carried: boolean;
  kinds: Record<string, string>;
  lesson: LessonForm | null;
  offered: boolean;
  clock: string;
  people: [string, string];
  left: boolean;
  linked: boolean;
}

/**
 * One thing that a hand does, as `games/acts.py` has it.
 */
export interface ActForm {
  kind: "carry" | "flip" | "lay" | "push" | "sow" | "take";
  sites: string[];
  levels: number[];
}

/**
 * A turn: who made it (0 or 1), and the level of each site after it.
 *
 * `marks`: the sites whose marks it changes, each with the new one, empty for none. `acts`: what hands did in it.
 */
export interface TurnForm {
  text: string;
  side: number;
  board: number[];
  marks: Record<string, string>;
  acts: ActForm[];
}

/**
 * A turn that can be made now, and what hands do in it, in the order of a careful one.
 */
export interface WayForm {
  text: string;
  acts: ActForm[];
}

/**
 * Who is ahead now and why, as `Standing` of `games/rules.py` has it; `ahead` is 0, 1 or None.
 *
 * `text` is the sentence with all that counts, `who` the one that says who is ahead.
 */
export interface StandingForm {
  counts: [number, number];
  ahead: number | null;
  text: string;
  who: string;
  sites: [string[], string[]];
}

/**
 * The game so far: the level of each site at the start, and the turns; `before` them so many that are not told.
 *
 * `marks`: those of the pieces at the start. `outcome` and `winner` (0, 1, None) once it is over. `beside`: pieces
 * that each player has beside the board, None in games that have none. `ways`: on a simulated table the turns that
 * there are now. `position`: the text of the position that stands now; `standing`: who is ahead in it, None in games
 * that do not tell.
 */
export interface StoryForm {
  kind: "story";
  start: number[];
  marks: Record<string, string>;
  turns: TurnForm[];
  before: number;
  outcome: string | null;
  winner: number | null;
  beside: [number, number] | null;
  ways: WayForm[];
  position: string;
  standing: StandingForm | null;
}

/**
 * What one site shows, as a `Cue` has it, and what that tells a player.
 */
export interface CueForm {
  kind: string;
  level: number;
  strength: number;
  phase: number;
  choice: boolean;
  under: string;
  order: number;
  tells: string;
}

/**
 * What a player had left when the turn began: seconds of the main time, and periods.
 */
export interface LeftForm {
  main: number;
  periods: number;
}

/**
 * The clocks, as `firmware_bridge/clocks` has them.
 *
 * `side` is to move and has `used` so many seconds of the turn by `since`, from when on its clock runs; None while it
 * stands. `period`: the seconds of one, 0 in a game without. `begun`: a turn was made.
 */
export interface ClocksForm {
  left: [LeftForm, LeftForm];
  side: number;
  used: number;
  since: number | null;
  period: number;
  begun: boolean;
}

/**
 * The board as it lies, and its lights.
 *
 * `levels`: 0 empty, 1 dark, 2 light, or a number of seeds; None where the sensors cannot tell. `side`: whose lamp is
 * lit (0, 1, None). `status`: whose turn it is, with `aside` in it: what else a player wants to know. `plan`: the turn
 * that the engine has chosen and a hand is to carry out, or empty. `marks`: of the pieces as they lie. `clock`, in
 * seconds: the rhythms count from it. `clocks`: what the players have left, None without clocks; `pace`: how short of
 * time the player to move is, by which the turn lamp has a rhythm. `asked`: another table waits for Done or Undo.
 * `acts`: what hands do in the turn that is made, as far as that is known; at rest in the last one. `barred`: sites
 * from which something was lifted with which no turn begins, each with why. `refused`: the rule that what hands do
 * breaks, be that certain or not; empty where none is known.
 */
export interface NowForm {
  kind: "now";
  levels: (number | null)[];
  cues: Record<string, CueForm>;
  side: number | null;
  state: "astray" | "blind" | "choosing" | "complete" | "over" | "rest" | "setting" | "under-way" | "which";
  aside: string | null;
  status: string;
  plan: string;
  marks: Record<string, string>;
  clocks: ClocksForm | null;
  pace: "" | "last" | "low" | "away";
  asked: boolean;
  acts: ActForm[];
  barred: Record<string, string>;
  refused: string;
  clock: number;
}

/**
 * How far the way to another table is; only those are told who may change something.
 *
 * `state`, `words`, `broker` and `kept` as `Link` has them. `address`: the words with the broker, which another table
 * joins by, and `code`: the same as a QR code, an ``<svg>``; both empty but while it waits. `fault`: a sentence.
 */
export interface LinkForm {
  kind: "link";
  state: "" | "failed" | "reaching" | "waiting";
  words: string;
  address: string;
  code: string;
  fault: string;
  broker: string;
  kept: boolean;
}

/**
 * Something that was said: its number, counted from 1, the name of its event, and the id of its message.
 *
 * `aloud`: as one would say it, empty if it is not to be heard at the table.
 */
export interface SentenceForm {
  number: number;
  name: string;
  id: string;
  text: string;
  aloud: string;
}

/**
 * What was said since the last time, in order; at a greeting the last of it.
 */
export interface SaidForm {
  kind: "said";
  words: SentenceForm[];
}

/**
 * A seat that is taken: the name to be shown, empty for the player's own; `away`: no browser of theirs is there.
 */
export interface SeatForm {
  name: string;
  away: boolean;
}

/**
 * What is asked in place of side `by`, for `left` seconds more.
 *
 * `mine`: by this browser's reader; `answer`: its reader is to grant or refuse it.
 */
export interface AskedForm {
  what: "draw" | "new" | "undo";
  by: 0 | 1;
  mine: boolean;
  answer: boolean;
  left: number;
}

/**
 * A hint for one reader: what the lights would show, and a sentence, empty until there is one.
 */
export interface HintForm {
  cues: Record<string, CueForm>;
  text: string;
}

/**
 * The seats, None where one is free; `mine`: that of this browser's reader, None for none.
 *
 * `act`: the reader's hands may do something now. `asked`: what is to be agreed upon, None for nothing. `hint`: one
 * that the reader alone is told.
 */
export interface SeatsForm {
  kind: "seats";
  seats: (SeatForm | null)[];
  mine: 0 | 1 | null;
  act: boolean;
  asked: AskedForm | null;
  hint: HintForm | null;
}

/**
 * A game that this browser has brought: the `key` by which it is looked back at, and what is to be told of it.
 *
 * Where it was not taken `key` is empty, and `text` tells why.
 */
export interface BroughtForm {
  kind: "brought";
  key: string;
  text: string;
}

/**
 * Why a request was not taken, and what to do.
 */
export interface RefusedForm {
  kind: "refused";
  text: string;
}

/**
 * The server has lost the table.
 */
export interface AloneForm {
  kind: "alone";
}

/**
 * A turn that was better than the one played; `much`: so much that the turn played decided something.
 */
export interface BetterForm {
  turn: string;
  acts: ActForm[];
  much: boolean;
}

/**
 * The position after `number` turns: the expected score `value` of the first player (0 lost, 1 won) for the curve.
 *
 * `word`: the same as a sentence. `proved`: worked out to the end. `better`: than the turn that was made there.
 * `puzzle`: by far, and alone.
 */
export interface MomentForm {
  number: number;
  value: number;
  word: string;
  proved: boolean;
  better: BetterForm | null;
  puzzle: boolean;
}

/**
 * How far a game is explained: `done` positions of `every`, and a sentence that tells it with the time left.
 *
 * `moments`: those that are new to who asks, as they were found.
 */
export interface ReviewForm {
  state: "failed" | "made" | "working";
  done: number;
  every: number;
  told: string;
  moments: MomentForm[];
}

/**
 * A position: its `game` with `options`, its text, who is to move (0 or 1), and whether the game is over there.
 *
 * `title` of the game, `told`: who is to move, or how it ended. `drawing`: the board as an ``<svg>``. `link`: what
 * stands behind the ``?`` of an address that shows it.
 */
export interface PositionForm {
  game: string;
  options: Record<string, number | string>;
  position: string;
  side: number;
  over: boolean;
  title: string;
  told: string;
  drawing: string;
  link: string;
}

/**
 * A game that is looked back at, as if it lay on the table: with the board at its end, and no lights.
 *
 * `told`: who played it, and when. `comments`: by how many turns were made before.
 */
export interface OpenedForm {
  table: TableForm;
  story: StoryForm;
  now: NowForm;
  told: string;
  comments: Record<string, string>;
}

/**
 * How far the moving picture of a game is: `done` turns of `every`, and a sentence that tells it.
 */
export interface FilmForm {
  state: "failed" | "made" | "working";
  done: number;
  every: number;
  told: string;
}

/**
 * The geometries of boards, by the keys that they are spoken of.
 */
export interface GroundsForm {
  kind: "grounds";
  boards: Record<string, BoardForm>;
}

/**
 * A board: its geometry by a key of `GroundsForm`, who plays, and how it stands.
 *
 * `sides`: what the players are called in the game; `own`: whose stones are 1 dark, 2 light, 0 neither. `levels` and
 * `marks` as on the page; `changed`: the places in `levels` that the last turn has changed. `beside`: pieces of each
 * player beside the board. `side` is to move, None after the end. `told`: that, or the result, in words; `result` as
 * tournaments write it. `clocks`: as on the page; that of the player to move stands until its table tells that it
 * runs. `flag`: whose time is up, None for nobody's. `away`: whose table has gone. `round`: of the evening, 0 for a
 * game that is none of it. `fault`: why it does not count, empty where it may.
 */
export interface SeenForm {
  key: string;
  names: [string, string];
  sides: [string, string];
  own: [number, number];
  pieces: "seeds" | "stones";
  levels: number[];
  marks: Record<string, string>;
  changed: number[];
  beside: [number, number] | null;
  side: number | null;
  turns: number;
  last: string;
  told: string;
  result: string;
  clocks: ClocksForm | null;
  flag: number | null;
  away: [boolean, boolean];
  round: number;
  fault: string;
}

/**
 * A game of a round: who plays, and its result or what is to be said of it.
 */
export interface MeetingForm {
  names: [string, string];
  result: string;
  told: string;
}

/**
 * A round: its games, and who has none, empty where all play.
 */
export interface RoundForm {
  games: MeetingForm[];
  bye: string;
}

/**
 * A line of the cross-table; `results` in the order of the lines, empty where there is none.
 */
export interface RowForm {
  place: number;
  name: string;
  results: string[];
  points: string;
  tie: string;
}

/**
 * All that is seen on the wall.
 *
 * `title` of what is played, empty without an evening. `round`: the number of the one in hand, from 1 on; 0 without.
 * `lost`: why there is no news of the broker, empty while there is. `delay`: seconds by which all is shown late.
 * `clock`, in seconds: what is shown was so then, and the clocks of the boards count from it.
 */
export interface WallForm {
  kind: "wall";
  title: string;
  round: number;
  over: boolean;
  lost: string;
  delay: number;
  boards: SeenForm[];
  rounds: RoundForm[];
  table: RowForm[];
  clock: number;
}

export type AnyForm = PageForm | TableForm | StoryForm | NowForm | LinkForm | SaidForm | SeatsForm | BroughtForm | RefusedForm | AloneForm;

/**
 * Hands on the simulated table: each site comes to hold a level, all at once.
 */
export interface Lay {
  do: "lay";
  changes: [string, number][];
}

/**
 * A whole turn of the player to move: simulated hands make it; at a real table a hand does, as the lights show.
 */
export interface Make {
  do: "make";
  turn: string;
}

/**
 * The turn that was to be made so is not to be made any more; what hands have begun of it is put back.
 */
export interface Drop {
  do: "drop";
}

/**
 * A button of the table, or ``standing``: who is ahead; or ``whisper``: a hint for the player to move alone.
 */
export interface Press {
  do: "press";
  button: "done" | "hint" | "standing" | "undo" | "whisper";
}

/**
 * A new game. `sense` counts on the simulated table only; `set_up`: begin with an empty board. `levels`: see
 * `Table`. `position`: the text of the one it begins with, empty for the usual start.
 */
export interface New {
  do: "new";
  game: string;
  options?: Record<string, number | string>;
  sense?: "colour" | "count" | "presence" | null;
  set_up?: boolean;
  levels?: [number, number];
  position?: string;
  clock?: string;
  names?: [string, string];
}

/**
 * A lesson of a game, from 1 on; 0 for the first that was not solved.
 */
export interface Teach {
  do: "teach";
  game: string;
  number?: number;
}

/**
 * A position of a `game` with `options`, and the turn that was `better` there; `turn` is the number of that played.
 *
 * `goal`: whether the better turn is proved to win. `day` of the game (2026-11-25), `record`: its file's name.
 */
export interface OwnPuzzle {
  game: string;
  options: Record<string, number | string>;
  position: string;
  goal: "better" | "win";
  better: string;
  day: string;
  turn: number;
  record?: string;
}

/**
 * A puzzle of a game, from 1 on; 0 for the first that was not solved. Or one of somebody's `own` games.
 */
export interface Solve {
  do: "solve";
  game: string;
  number?: number;
  own?: OwnPuzzle | null;
}

/**
 * Back to the finished game that was left last to try something.
 */
export interface Return {
  do: "return";
}

/**
 * How much the lights tell.
 */
export interface Show {
  do: "show";
  mode: "coach" | "quiet" | "referee";
}

/**
 * How bright the lights are at most, 0-255.
 */
export interface Brighten {
  do: "brightness";
  level: number;
}

/**
 * Whether a hand of the simulated table carries out the engine's turns by itself.
 */
export interface Carrying {
  do: "carry";
  alone: boolean;
}

/**
 * When hints are shown.
 */
export interface Hinting {
  do: "hints";
  hints: "always" | "button" | "off";
}

/**
 * Other sensors under the simulated table; the game goes on.
 */
export interface Sensing {
  do: "sense";
  sense: "colour" | "count" | "presence";
}

/**
 * What happens to tables: a bump, a knock-over, the sensors' cable pulled or plugged, the pieces put right.
 */
export interface Mishap {
  do: "mishap";
  what: "bump" | "knock-over" | "plug" | "tidy" | "unplug";
}

/**
 * The players end the game: one of them resigns (0 or 1), or both agree on a draw (None).
 */
export interface End {
  do: "end";
  resigns?: 0 | 1 | null;
}

/**
 * Another table is invited to a game; `seat`: who sits here. `sense` counts on the simulated table only.
 *
 * `broker`: the address of one, empty for that of the configuration.
 */
export interface Invite {
  do: "invite";
  game: string;
  options?: Record<string, number | string>;
  clock?: string;
  seat?: 0 | 1;
  sense?: "colour" | "count" | "presence" | null;
  broker?: string;
}

/**
 * This table joins the one that shows these six words; they may follow the address of a broker and a ``#``.
 */
export interface Join {
  do: "join";
  words: string;
  broker?: string;
}

/**
 * The game with another table that is kept goes on.
 */
export interface Rejoin {
  do: "rejoin";
}

/**
 * No other table is wanted any more: one that is looked for is not; else the game goes on at this table alone.
 */
export interface Unlink {
  do: "unlink";
}

/**
 * Take the seat of a player (0, 1), under a name; the player's own where that is empty.
 */
export interface Sit {
  do: "sit";
  side: 0 | 1;
  name?: string;
}

/**
 * Leave the seat.
 */
export interface Rise {
  do: "rise";
}

/**
 * Grant what the other player asks for, or refuse it; who has asked takes it back.
 */
export interface Answer {
  do: "answer";
  grants: boolean;
}

/**
 * A part of the text of a game that is to be looked back at: the first has the `number` 0, of so many.
 *
 * `name`: of the file, which may tell the day; empty for none.
 */
export interface Bring {
  do: "bring";
  number: number;
  of: number;
  text: string;
  name?: string;
}

/**
 * The language of the reader (empty: as the browser asks), the token that allows changes, and a key of its own.
 */
export interface Hello {
  language?: string;
  token?: string;
  guest?: string;
}

/**
 * The first message of a browser, sent again whenever one of these changes.
 */
export interface Greeting {
  hello: Hello;
}

export type AnyRequest = Lay | Make | Drop | Press | New | Teach | Solve | Return | Show | Brighten | Carrying | Hinting | Sensing | Mishap | End | Invite | Join | Rejoin | Unlink | Sit | Rise | Answer | Bring;
