/** The tests of these modules, on PostgreSQL. */
import "../../server/operations/acts/code-acts.test.ts";
import "../../server/operations/acts/health-acts.test.ts";
import "../../server/operations/acts/member-acts.test.ts";
import "../../server/operations/acts/note-acts.test.ts";
import "../../server/operations/desk/health.test.ts";
import "../../server/operations/figures/empty-searches.test.ts";
import "../../server/operations/figures/figures.test.ts";
import "../../server/operations/figures/tally.test.ts";
import "../../server/operations/lists/lists.test.ts";
import "../../server/operations/merging/merging.test.ts";
import "../../server/operations/moving/member-files.test.ts";
import "../../server/operations/moving/moving.test.ts";
import "../../server/operations/newsletter/newsletter.test.ts";
import "../../server/operations/operators/operators.test.ts";
import "../../server/operations/personal-data/personal-data.test.ts";
