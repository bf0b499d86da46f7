/* Metrics of the process and of what it stands on. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "admin/backup/last.h"
#include "api/metrics/scrape.h"
#include "base/version.h"
#include "base/clock.h"

static void build_info(struct drg_scrape *s)
{
	drg_sample(s, 1, "version=\"%s\",commit=\"%s\"", drg_version_text, drg_commit_text);
}

static void start_time(struct drg_scrape *s)
{
	drg_sample_us(s, s->app->started_us, "%s", "");
}

static void cpu(struct drg_scrape *s)
{
	struct rusage u;
	if (getrusage(RUSAGE_SELF, &u) != 0)
		return;
	drg_sample_us(s,
	              (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000) + u.ru_utime.tv_usec +
	                      u.ru_stime.tv_usec,
	              "%s", "");
}

static void memory(struct drg_scrape *s)
{
	long long pages = -1;
	FILE *f = fopen("/proc/self/statm", "re");
	if (f == NULL)
		return;
	if (fscanf(f, "%*d %lld", &pages) == 1)
		drg_sample(s, pages * sysconf(_SC_PAGESIZE), "%s", "");
	fclose(f);
}

static void each_disk(struct drg_scrape *s, bool free_part)
{
	const struct {
		const char *of, *path;
	} disks[] = { { "store", s->app->store_path }, { "data", s->app->dir } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(disks); i++) {
		struct statvfs v;
		if (disks[i].path != NULL && statvfs(disks[i].path, &v) == 0)
			drg_sample(s, (int64_t)((free_part ? v.f_bavail : v.f_blocks) * v.f_frsize),
			           "disk=\"%s\"", disks[i].of);
	}
}

static void disk_free(struct drg_scrape *s)
{
	each_disk(s, true);
}

static void disk_size(struct drg_scrape *s)
{
	each_disk(s, false);
}

static void snapshot_age(struct drg_scrape *s)
{
	struct stat st;
	if (s->app->image_path != NULL && stat(s->app->image_path, &st) == 0)
		drg_sample_us(
		        s, drg_wall_us() - st.st_mtim.tv_sec * INT64_C(1000000) - st.st_mtim.tv_nsec / 1000,
		        "%s", "");
}

static void backup_success(struct drg_scrape *s)
{
	struct drg_last_backup last = { 0 };
	(void)drg_last_backup_read(s->app->dir, &last);
	drg_sample_us(s, last.at_us, "%s", "");
}

static void backup_failure(struct drg_scrape *s)
{
	drg_sample_us(s, drg_last_backup_failure_us(s->app->dir), "%s", "");
}

/* clang-format off */
const struct drg_metric drg_metrics_machine[] = {
	{ "dragoman_build_info", DRG_METRIC_GAUGE, "version, commit",
		"1; version and commit are in the labels.", build_info },
	{ "dragoman_start_time_seconds", DRG_METRIC_GAUGE, "", "When the server started, seconds since 1970.",
		start_time },
	{ "dragoman_cpu_seconds_total", DRG_METRIC_COUNTER, "", "CPU time of the process.", cpu },
	{ "dragoman_memory_bytes", DRG_METRIC_GAUGE, "",
		"Memory of the process that is resident, what it shares with others included.", memory },
	{ "dragoman_disk_free_bytes", DRG_METRIC_GAUGE, "disk",
		"Free on the disk of the store (of a file) and of the data folder.", disk_free },
	{ "dragoman_disk_size_bytes", DRG_METRIC_GAUGE, "disk", "Size of these disks.", disk_size },
	{ "dragoman_snapshot_age_seconds", DRG_METRIC_GAUGE, "",
		"Since the snapshot was written, from which a start without the store goes.", snapshot_age },
	{ "dragoman_backup_success_time_seconds", DRG_METRIC_GAUGE, "",
		"When the last good `dragoman backup` of this data folder began, seconds since 1970; 0: none.",
		backup_success },
	{ "dragoman_backup_failure_time_seconds", DRG_METRIC_GAUGE, "",
		"When such a backup failed last; 0: never.", backup_failure },
	{ NULL, DRG_METRIC_COUNTER, NULL, NULL, NULL },
};
/* clang-format on */
