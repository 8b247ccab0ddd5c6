"""A batch on Spark: spark-submit --py-files shards.py spark_batch.py jobs.jsonl results/ --shards 16

The folder of results has to be one that all workers see.
"""

import shards
from pyspark import SparkContext


def main():
    args = shards.arguments(__doc__)
    context = SparkContext(appName="idiolect batch")
    manifest, results, n, options = args.manifest, args.results, args.shards, args.options
    numbers = context.parallelize(range(1, n + 1), n)
    codes = numbers.map(lambda i: shards.run(manifest, results, i, n, options)).collect()
    context.stop()
    shards.finish(args, codes)


if __name__ == "__main__":
    main()
