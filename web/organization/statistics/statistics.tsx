/** How much the organization is used. docs/statistics.md says what is counted. */
import { createSignal, For, Show } from "solid-js";
import { getStatistics } from "../../../api/administration/statistics.ts";
import { writeNumber } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { channelName } from "../../shared/text/names.ts";
import { sizeText } from "../../shared/text/sizes.ts";
import { shortTime } from "../../shared/text/times.ts";
import { Select } from "../../ui/fields.tsx";
import { call } from "../calls.ts";
import { createFetched, WhenFetched } from "../controls/fetched.tsx";
import { type Bucket, bucketsOf, type Day, lastOf, type Range, ranges, sumOf, topOf } from "./buckets.ts";
import { Chart } from "./chart.tsx";

const CHANNELS_SHOWN = 20;

const number = (value: number) => writeNumber(value, language());

export function Statistics() {
  const [range, setRange] = createSignal<Range>("days");
  // The answer is drawn by the range that it was asked for.
  const fetched = createFetched(async () => {
    const asked = range();
    return { range: asked, ...(await call(getStatistics, { days: ranges[asked].days })) };
  }, range);
  return (
    <>
      <p class="about">{t("statistics.about")}</p>
      <div class="filters">
        <Select
          label={t("statistics.range")}
          value={range()}
          options={[
            { value: "days", label: t("statistics.days") },
            { value: "weeks", label: t("statistics.weeks") },
            { value: "months", label: t("statistics.months") },
          ]}
          onChange={setRange}
        />
      </div>
      <WhenFetched fetched={fetched}>
        {(answer) => (
          <>
            <p class="about" role="status">
              {counted(answer().counted_at)}
            </p>
            <Charts range={answer().range} days={answer().days} />
            <ChannelList channels={answer().channels} />
          </>
        )}
      </WhenFetched>
    </>
  );
}

function counted(at: number | null): string {
  return at === null ? t("statistics.notCounted") : t("statistics.counted", { time: shortTime(at * 1000) });
}

/** For weeks and months, people count once in the time. */
const activeOf = {
  day: (day: Day) => day.active_people,
  week: (day: Day) => day.active_people_7_days,
  month: (day: Day) => day.active_people_28_days,
} as const;

function Charts(props: { range: Range; days: readonly Day[] }) {
  const { joinedBy } = ranges[props.range];
  const buckets = bucketsOf(props.days, joinedBy);
  const labels = buckets.map((bucket) => labelOf(bucket, joinedBy));
  const sums = (figure: (day: Day) => number) => buckets.map((bucket) => sumOf(bucket, figure));
  const states = (figure: (day: Day) => number | null) => buckets.map((bucket) => lastOf(bucket, figure));
  return (
    <>
      <Chart
        title={t(joinedBy === "month" ? "statistics.active28" : "statistics.active")}
        labels={labels}
        series={[{ name: t("statistics.people"), values: states(activeOf[joinedBy]) }]}
        write={number}
      />
      <Chart
        title={t("statistics.messages")}
        labels={labels}
        series={[
          { name: t("statistics.public"), values: sums((day) => day.public_messages) },
          { name: t("statistics.private"), values: sums((day) => day.private_messages) },
          { name: t("statistics.direct"), values: sums((day) => day.direct_messages) },
        ]}
        write={number}
      />
      <Chart
        title={t("statistics.channels")}
        labels={labels}
        series={[
          { name: t("statistics.public"), values: states((day) => day.public_channels) },
          { name: t("statistics.private"), values: states((day) => day.private_channels) },
          { name: t("statistics.archived"), values: states((day) => day.archived_channels) },
        ]}
        write={number}
      />
      <Chart
        title={t("statistics.storage")}
        labels={labels}
        series={[{ name: t("statistics.storage"), values: states((day) => day.upload_bytes) }]}
        write={sizeText}
      />
    </>
  );
}

/** Days are those of UTC, as they were counted. */
function labelOf({ from, to }: Bucket, joinedBy: "day" | "week" | "month"): string {
  const write = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language(), { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
  if (joinedBy === "month") return write(from, { month: "short", year: "numeric" });
  const ofDay = (day: string) => write(day, { day: "numeric", month: "short" });
  return joinedBy === "day" ? ofDay(from) : `${ofDay(from)} – ${ofDay(to)}`;
}

function ChannelList(props: { channels: readonly { stream_id: number; messages: number }[] }) {
  const list = () => topOf(props.channels, CHANNELS_SHOWN, ({ messages }) => messages);
  return (
    <section class="statistic" aria-labelledby="statistics-channels">
      <h3 id="statistics-channels">{t("statistics.byChannel")}</h3>
      <Show when={list().top.length > 0} fallback={<p class="nothing">{t("statistics.noMessages")}</p>}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("statistics.channel")}</th>
              <th scope="col">{t("statistics.messages")}</th>
            </tr>
          </thead>
          <tbody>
            <For each={list().top}>
              {(one) => (
                <tr>
                  <th scope="row">
                    <bdi>{channelName(one.stream_id)}</bdi>
                  </th>
                  <td>{number(one.messages)}</td>
                </tr>
              )}
            </For>
            <Show when={list().others > 0}>
              <tr>
                <th scope="row">{t("statistics.others", { count: list().others })}</th>
                <td>{number(list().rest)}</td>
              </tr>
            </Show>
          </tbody>
        </table>
      </Show>
    </section>
  );
}
